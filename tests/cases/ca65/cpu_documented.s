; about: all 151 documented instructions of the 6502
; = 69 12 65 12 75 12 6D 34 12 7D 34 12 79 34 12 61 12 71 12 29 12 25 12 35
; = 12 2D 34 12 3D 34 12 39 34 12 21 12 31 12 C9 12 C5 12 D5 12 CD 34 12 DD
; = 34 12 D9 34 12 C1 12 D1 12 49 12 45 12 55 12 4D 34 12 5D 34 12 59 34 12
; = 41 12 51 12 A9 12 A5 12 B5 12 AD 34 12 BD 34 12 B9 34 12 A1 12 B1 12 09
; = 12 05 12 15 12 0D 34 12 1D 34 12 19 34 12 01 12 11 12 E9 12 E5 12 F5 12
; = ED 34 12 FD 34 12 F9 34 12 E1 12 F1 12 85 12 95 12 8D 34 12 9D 34 12 99
; = 34 12 81 12 91 12 0A 0A 06 12 16 12 0E 34 12 1E 34 12 4A 4A 46 12 56 12
; = 4E 34 12 5E 34 12 2A 2A 26 12 36 12 2E 34 12 3E 34 12 6A 6A 66 12 76 12
; = 6E 34 12 7E 34 12 E6 12 F6 12 EE 34 12 FE 34 12 C6 12 D6 12 CE 34 12 DE
; = 34 12 24 12 2C 34 12 E0 12 E4 12 EC 34 12 C0 12 C4 12 CC 34 12 A2 12 A6
; = 12 B6 12 AE 34 12 BE 34 12 A0 12 A4 12 B4 12 AC 34 12 BC 34 12 86 12 96
; = 12 8E 34 12 84 12 94 12 8C 34 12 90 FE B0 FE F0 FE 30 FE D0 FE 10 FE 50
; = FE 70 FE 4C 34 12 6C 34 12 20 34 12 00 18 D8 58 B8 CA 88 E8 C8 EA 48 08
; = 68 28 40 60 38 F8 78 AA A8 BA 8A 9A 98

        adc #$12
        adc $12
        adc $12, x
        adc $1234
        adc $1234, x
        adc $1234, y
        adc ($12, x)
        adc ($12), y
        and #$12
        and $12
        and $12, x
        and $1234
        and $1234, x
        and $1234, y
        and ($12, x)
        and ($12), y
        cmp #$12
        cmp $12
        cmp $12, x
        cmp $1234
        cmp $1234, x
        cmp $1234, y
        cmp ($12, x)
        cmp ($12), y
        eor #$12
        eor $12
        eor $12, x
        eor $1234
        eor $1234, x
        eor $1234, y
        eor ($12, x)
        eor ($12), y
        lda #$12
        lda $12
        lda $12, x
        lda $1234
        lda $1234, x
        lda $1234, y
        lda ($12, x)
        lda ($12), y
        ora #$12
        ora $12
        ora $12, x
        ora $1234
        ora $1234, x
        ora $1234, y
        ora ($12, x)
        ora ($12), y
        sbc #$12
        sbc $12
        sbc $12, x
        sbc $1234
        sbc $1234, x
        sbc $1234, y
        sbc ($12, x)
        sbc ($12), y
        sta $12
        sta $12, x
        sta $1234
        sta $1234, x
        sta $1234, y
        sta ($12, x)
        sta ($12), y
        asl
        asl a
        asl $12
        asl $12, x
        asl $1234
        asl $1234, x
        lsr
        lsr a
        lsr $12
        lsr $12, x
        lsr $1234
        lsr $1234, x
        rol
        rol a
        rol $12
        rol $12, x
        rol $1234
        rol $1234, x
        ror
        ror a
        ror $12
        ror $12, x
        ror $1234
        ror $1234, x
        inc $12
        inc $12, x
        inc $1234
        inc $1234, x
        dec $12
        dec $12, x
        dec $1234
        dec $1234, x
        bit $12
        bit $1234
        cpx #$12
        cpx $12
        cpx $1234
        cpy #$12
        cpy $12
        cpy $1234
        ldx #$12
        ldx $12
        ldx $12, y
        ldx $1234
        ldx $1234, y
        ldy #$12
        ldy $12
        ldy $12, x
        ldy $1234
        ldy $1234, x
        stx $12
        stx $12, y
        stx $1234
        sty $12
        sty $12, x
        sty $1234
        bcc *
        bcs *
        beq *
        bmi *
        bne *
        bpl *
        bvc *
        bvs *
        jmp $1234
        jmp ($1234)
        jsr $1234
        brk
        clc
        cld
        cli
        clv
        dex
        dey
        inx
        iny
        nop
        pha
        php
        pla
        plp
        rti
        rts
        sec
        sed
        sei
        tax
        tay
        tsx
        txa
        txs
        tya
