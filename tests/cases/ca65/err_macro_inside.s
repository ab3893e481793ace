; about: errors inside of a macro are reported at the call
; error: 13: range error
; error: 14: range error

.macro wrong value
        nop
        lda #value
.endmacro
.macro outer
        wrong 256
.endmacro
        wrong 5
        wrong 257
        outer
