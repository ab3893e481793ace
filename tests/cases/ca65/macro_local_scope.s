; about: .local for scopes and constants
; = A9 03 4C 00 80 A9 03 4C 05 80

.macro block
        .local inner, size
size = 3
.proc inner
        lda #size
.endproc
        jmp inner
.endmacro
        block
        block
