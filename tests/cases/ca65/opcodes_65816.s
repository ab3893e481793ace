; about: every instruction of the 65816 with every operand
; args: --cpu 65816
; = 69 12 72 12 71 12 61 12 73 12 67 12 77 12 6D 34 12 7D 34 12 79 34 12 6F 56 34 12 7F
; = 56 34 12 65 12 75 12 63 12 29 12 32 12 31 12 21 12 33 12 27 12 37 12 2D 34 12 3D 34
; = 12 39 34 12 2F 56 34 12 3F 56 34 12 25 12 35 12 23 12 0A 0E 34 12 1E 34 12 06 12 16
; = 12 90 FE B0 FE F0 FE 89 12 2C 34 12 3C 34 12 24 12 34 12 30 FE D0 FE 10 FE 80 FE 00
; = 00 12 82 FD FF 50 FE 70 FE 18 D8 58 B8 C9 12 D2 12 D1 12 C1 12 D3 12 C7 12 D7 12 CD
; = 34 12 DD 34 12 D9 34 12 CF 56 34 12 DF 56 34 12 C5 12 D5 12 C3 12 02 12 C9 12 D2 12
; = D1 12 C1 12 D3 12 C7 12 D7 12 CD 34 12 DD 34 12 D9 34 12 CF 56 34 12 DF 56 34 12 C5
; = 12 D5 12 C3 12 E0 12 EC 34 12 E4 12 C0 12 CC 34 12 C4 12 3A 3A CE 34 12 DE 34 12 C6
; = 12 D6 12 CA 88 49 12 52 12 51 12 41 12 53 12 47 12 57 12 4D 34 12 5D 34 12 59 34 12
; = 4F 56 34 12 5F 56 34 12 45 12 55 12 43 12 1A 1A EE 34 12 FE 34 12 E6 12 F6 12 E8 C8
; = DC 34 12 5C 56 34 12 6C 34 12 7C 34 12 DC 34 12 4C 34 12 5C 56 34 12 22 56 34 12 FC
; = 34 12 20 34 12 22 56 34 12 A9 12 B2 12 B1 12 A1 12 B3 12 A7 12 B7 12 AD 34 12 BD 34
; = 12 B9 34 12 AF 56 34 12 BF 56 34 12 A5 12 B5 12 A3 12 A2 12 AE 34 12 BE 34 12 A6 12
; = B6 12 A0 12 AC 34 12 BC 34 12 A4 12 B4 12 4A 4E 34 12 5E 34 12 46 12 56 12 54 34 12
; = 44 34 12 EA 09 12 12 12 11 12 01 12 13 12 07 12 17 12 0D 34 12 1D 34 12 19 34 12 0F
; = 56 34 12 1F 56 34 12 05 12 15 12 03 12 F4 34 12 D4 12 62 FD FF 48 8B 0B 4B 08 DA 5A
; = 68 AB 2B 28 FA 7A C2 12 2A 2E 34 12 3E 34 12 26 12 36 12 6A 6E 34 12 7E 34 12 66 12
; = 76 12 40 6B 60 E9 12 F2 12 F1 12 E1 12 F3 12 E7 12 F7 12 ED 34 12 FD 34 12 F9 34 12
; = EF 56 34 12 FF 56 34 12 E5 12 F5 12 E3 12 38 F8 78 E2 12 92 12 91 12 81 12 93 12 87
; = 12 97 12 8D 34 12 9D 34 12 99 34 12 8F 56 34 12 9F 56 34 12 85 12 95 12 83 12 DB 8E
; = 34 12 86 12 96 12 8C 34 12 84 12 94 12 9C 34 12 9E 34 12 64 12 74 12 EB 5B 1B AA A8
; = 5B 1B 7B 7B 1C 34 12 14 12 3B 0C 34 12 04 12 3B BA 8A 9A 9B 98 BB CB 42 12 EB FB

        adc #$12
        adc ($12)
        adc ($12),y
        adc ($12,x)
        adc ($12,s),y
        adc [$12]
        adc [$12],y
        adc $1234
        adc $1234,x
        adc $1234,y
        adc $123456
        adc $123456,x
        adc $12
        adc $12,x
        adc $12,s
        and #$12
        and ($12)
        and ($12),y
        and ($12,x)
        and ($12,s),y
        and [$12]
        and [$12],y
        and $1234
        and $1234,x
        and $1234,y
        and $123456
        and $123456,x
        and $12
        and $12,x
        and $12,s
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
        brk $12
        brl *
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
        cmp ($12,s),y
        cmp [$12]
        cmp [$12],y
        cmp $1234
        cmp $1234,x
        cmp $1234,y
        cmp $123456
        cmp $123456,x
        cmp $12
        cmp $12,x
        cmp $12,s
        cop $12
        cpa #$12
        cpa ($12)
        cpa ($12),y
        cpa ($12,x)
        cpa ($12,s),y
        cpa [$12]
        cpa [$12],y
        cpa $1234
        cpa $1234,x
        cpa $1234,y
        cpa $123456
        cpa $123456,x
        cpa $12
        cpa $12,x
        cpa $12,s
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
        eor ($12,s),y
        eor [$12]
        eor [$12],y
        eor $1234
        eor $1234,x
        eor $1234,y
        eor $123456
        eor $123456,x
        eor $12
        eor $12,x
        eor $12,s
        ina
        inc a
        inc $1234
        inc $1234,x
        inc $12
        inc $12,x
        inx
        iny
        jml [$1234]
        jml $123456
        jmp ($1234)
        jmp ($1234,x)
        jmp [$1234]
        jmp $1234
        jmp $123456
        jsl $123456
        jsr ($1234,x)
        jsr $1234
        jsr $123456
        lda #$12
        lda ($12)
        lda ($12),y
        lda ($12,x)
        lda ($12,s),y
        lda [$12]
        lda [$12],y
        lda $1234
        lda $1234,x
        lda $1234,y
        lda $123456
        lda $123456,x
        lda $12
        lda $12,x
        lda $12,s
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
        mvn #$12,#$34
        mvp #$12,#$34
        nop
        ora #$12
        ora ($12)
        ora ($12),y
        ora ($12,x)
        ora ($12,s),y
        ora [$12]
        ora [$12],y
        ora $1234
        ora $1234,x
        ora $1234,y
        ora $123456
        ora $123456,x
        ora $12
        ora $12,x
        ora $12,s
        pea $1234
        pei ($12)
        per *
        pha
        phb
        phd
        phk
        php
        phx
        phy
        pla
        plb
        pld
        plp
        plx
        ply
        rep #$12
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
        rtl
        rts
        sbc #$12
        sbc ($12)
        sbc ($12),y
        sbc ($12,x)
        sbc ($12,s),y
        sbc [$12]
        sbc [$12],y
        sbc $1234
        sbc $1234,x
        sbc $1234,y
        sbc $123456
        sbc $123456,x
        sbc $12
        sbc $12,x
        sbc $12,s
        sec
        sed
        sei
        sep #$12
        sta ($12)
        sta ($12),y
        sta ($12,x)
        sta ($12,s),y
        sta [$12]
        sta [$12],y
        sta $1234
        sta $1234,x
        sta $1234,y
        sta $123456
        sta $123456,x
        sta $12
        sta $12,x
        sta $12,s
        stp
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
        swa
        tad
        tas
        tax
        tay
        tcd
        tcs
        tda
        tdc
        trb $1234
        trb $12
        tsa
        tsb $1234
        tsb $12
        tsc
        tsx
        txa
        txs
        txy
        tya
        tyx
        wai
        wdm $12
        xba
        xce
