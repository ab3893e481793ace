; about: members may have names like labels elsewhere
; = EA A9 01 01 80 00 80

value:  nop
.struct rec
        value .byte
        label .word
.endstruct
label:  lda #rec::label
        .addr label, value
