; about: a macro that calls itself until its argument is blank
; = A9 01 48 A9 02 48 A9 03 48 04 03 02 01

.macro push r1, r2, r3, r4
.ifnblank r1
        lda #r1
        pha
        push r2, r3, r4
.endif
.endmacro
.macro down n
.if n > 0
        .byte n
        down n - 1
.endif
.endmacro
        push 1, 2, 3
        push
        down 4
