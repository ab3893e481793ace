.segment "FIRST"
        .byte $12
.segment "THIRD"
        .byte $32
.segment "SECOND"
        .byte $22
