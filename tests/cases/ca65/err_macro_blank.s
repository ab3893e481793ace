; about: a missing argument leaves a hole
; error: 7

.macro load v
        lda #v
.endmacro
        load

        nop
