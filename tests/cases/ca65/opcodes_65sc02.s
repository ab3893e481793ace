; about: every instruction of the 65SC02 with every operand
; args: --cpu 65SC02
; = 69 12 72 12 71 12 61 12 6D 34 12 7D 34 12 79 34 12 65 12 75 12 29 12 32 12 31 12 21
; = 12 2D 34 12 3D 34 12 39 34 12 25 12 35 12 0A 0E 34 12 1E 34 12 06 12 16 12 90 FE B0
; = FE F0 FE 89 12 2C 34 12 3C 34 12 24 12 34 12 30 FE D0 FE 10 FE 80 FE 00 50 FE 70 FE
; = 18 D8 58 B8 C9 12 D2 12 D1 12 C1 12 CD 34 12 DD 34 12 D9 34 12 C5 12 D5 12 E0 12 EC
; = 34 12 E4 12 C0 12 CC 34 12 C4 12 3A 3A CE 34 12 DE 34 12 C6 12 D6 12 CA 88 49 12 52
; = 12 51 12 41 12 4D 34 12 5D 34 12 59 34 12 45 12 55 12 1A 1A EE 34 12 FE 34 12 E6 12
; = F6 12 E8 C8 6C 34 12 7C 34 12 4C 34 12 20 34 12 A9 12 B2 12 B1 12 A1 12 AD 34 12 BD
; = 34 12 B9 34 12 A5 12 B5 12 A2 12 AE 34 12 BE 34 12 A6 12 B6 12 A0 12 AC 34 12 BC 34
; = 12 A4 12 B4 12 4A 4E 34 12 5E 34 12 46 12 56 12 EA 09 12 12 12 11 12 01 12 0D 34 12
; = 1D 34 12 19 34 12 05 12 15 12 48 08 DA 5A 68 28 FA 7A 2A 2E 34 12 3E 34 12 26 12 36
; = 12 6A 6E 34 12 7E 34 12 66 12 76 12 40 60 E9 12 F2 12 F1 12 E1 12 ED 34 12 FD 34 12
; = F9 34 12 E5 12 F5 12 38 F8 78 92 12 91 12 81 12 8D 34 12 9D 34 12 99 34 12 85 12 95
; = 12 8E 34 12 86 12 96 12 8C 34 12 84 12 94 12 9C 34 12 9E 34 12 64 12 74 12 AA A8 1C
; = 34 12 14 12 0C 34 12 04 12 BA 8A 9A 98

        adc #$12
        adc ($12)
        adc ($12),y
        adc ($12,x)
        adc $1234
        adc $1234,x
        adc $1234,y
        adc $12
        adc $12,x
        and #$12
        and ($12)
        and ($12),y
        and ($12,x)
        and $1234
        and $1234,x
        and $1234,y
        and $12
        and $12,x
        asl a
        asl $1234
        asl $1234,x
        asl $12
        asl $12,x
        bcc *
        bcs *
        beq *
        bit #$12
        bit $1234
        bit $1234,x
        bit $12
        bit $12,x
        bmi *
        bne *
        bpl *
        bra *
        brk
        bvc *
        bvs *
        clc
        cld
        cli
        clv
        cmp #$12
        cmp ($12)
        cmp ($12),y
        cmp ($12,x)
        cmp $1234
        cmp $1234,x
        cmp $1234,y
        cmp $12
        cmp $12,x
        cpx #$12
        cpx $1234
        cpx $12
        cpy #$12
        cpy $1234
        cpy $12
        dea
        dec a
        dec $1234
        dec $1234,x
        dec $12
        dec $12,x
        dex
        dey
        eor #$12
        eor ($12)
        eor ($12),y
        eor ($12,x)
        eor $1234
        eor $1234,x
        eor $1234,y
        eor $12
        eor $12,x
        ina
        inc a
        inc $1234
        inc $1234,x
        inc $12
        inc $12,x
        inx
        iny
        jmp ($1234)
        jmp ($1234,x)
        jmp $1234
        jsr $1234
        lda #$12
        lda ($12)
        lda ($12),y
        lda ($12,x)
        lda $1234
        lda $1234,x
        lda $1234,y
        lda $12
        lda $12,x
        ldx #$12
        ldx $1234
        ldx $1234,y
        ldx $12
        ldx $12,y
        ldy #$12
        ldy $1234
        ldy $1234,x
        ldy $12
        ldy $12,x
        lsr a
        lsr $1234
        lsr $1234,x
        lsr $12
        lsr $12,x
        nop
        ora #$12
        ora ($12)
        ora ($12),y
        ora ($12,x)
        ora $1234
        ora $1234,x
        ora $1234,y
        ora $12
        ora $12,x
        pha
        php
        phx
        phy
        pla
        plp
        plx
        ply
        rol a
        rol $1234
        rol $1234,x
        rol $12
        rol $12,x
        ror a
        ror $1234
        ror $1234,x
        ror $12
        ror $12,x
        rti
        rts
        sbc #$12
        sbc ($12)
        sbc ($12),y
        sbc ($12,x)
        sbc $1234
        sbc $1234,x
        sbc $1234,y
        sbc $12
        sbc $12,x
        sec
        sed
        sei
        sta ($12)
        sta ($12),y
        sta ($12,x)
        sta $1234
        sta $1234,x
        sta $1234,y
        sta $12
        sta $12,x
        stx $1234
        stx $12
        stx $12,y
        sty $1234
        sty $12
        sty $12,x
        stz $1234
        stz $1234,x
        stz $12
        stz $12,x
        tax
        tay
        trb $1234
        trb $12
        tsb $1234
        tsb $12
        tsx
        txa
        txs
        tya
