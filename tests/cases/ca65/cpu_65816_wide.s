; about: immediate values of 16 bits
; args: --cpu 65816
; = 69 34 12 29 34 12 89 34 12 C9 34 12 C9 34 12 E0 34 12 C0 34 12 49 34 12 A9 34 12 A2
; = 34 12 A0 34 12 09 34 12 E9 34 12 A9 12 A2 34 12 A0 12 08 08 10 08

        .a16
        .i16
        adc #$1234
        and #$1234
        bit #$1234
        cmp #$1234
        cpa #$1234
        cpx #$1234
        cpy #$1234
        eor #$1234
        lda #$1234
        ldx #$1234
        ldy #$1234
        ora #$1234
        sbc #$1234
        .a8
        lda #$12
        ldx #$1234
        .i8
        ldy #$12
        .byte .asize, .isize
        .a16
        .byte .asize, .isize
