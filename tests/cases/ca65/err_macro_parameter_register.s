; about: x, y and a are registers and cannot be names of macro parameters
; error: 4

.macro move x
        lda #x
.endmacro
