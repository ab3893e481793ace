        .byte $11
.align 8, $EE
        .byte $12
.data
        .byte $13
.align 2
        .byte $14
