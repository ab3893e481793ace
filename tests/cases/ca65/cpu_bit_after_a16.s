; about: .a16 is not forgotten with the 65816: bit of the 65C02 takes a word
; = 89 12 00 A9 12 A2 12 A9 12 00

        .p816
        .a16
        .i16
        .pc02
        bit #$12
        lda #$12
        ldx #$12
        .p816
        lda #$12
