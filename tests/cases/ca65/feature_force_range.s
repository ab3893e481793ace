; about: feature force_range cuts values to their size
; = 34 FF 45 23 FE FF FF FF FF FF FF FF FF FF FE 45 23 A9 FF A2 34

.feature force_range
        .byte $1234, -1
        .word $12345, -2
        .dword -1
        .faraddr -1
        .dbyt -2
        .addr $12345
        lda #-1
        ldx #$1234
