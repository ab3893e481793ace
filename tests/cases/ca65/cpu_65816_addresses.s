; about: long, near and zero page addresses; banks and words of them
; args: --cpu 65816
; = AF 56 34 12 BF 56 34 12 AD 34 12 AF 34 12 00 AF 00 00 00 AD 00 00 A5 00 A5 00 BF 34
; = 12 00 A7 00 B7 00 B2 00 B3 03 A3 03 4C 00 80 5C 00 80 00 5C 56 34 12 DC 34 12 DC 34
; = 12 7C 34 12 FC 34 12 22 56 34 12 22 00 80 00 A9 12 A9 56 A9 12 A2 34 F4 00 80 F4 56
; = 34 F4 12 00 D4 00 62 A3 FF 82 A0 FF 82 24 00 54 34 12 44 00 12 54 00 12 02 12 42 12
; = 00 00 12 00 80 00 56 34 12 00 80 56 34 56 34 12 00 12 00 56 34 12 00 EA

.segment "ZEROPAGE"
zp:     .res 2
.segment "CODE"
distant = $123456
middle = $1234
start:
        lda distant
        lda distant,x
        lda a:middle
        lda f:middle
        lda f:zp
        lda a:zp
        lda z:zp
        lda zp
        lda f:middle,x
        lda [zp]
        lda [zp],y
        lda (zp)
        lda (3,s),y
        lda 3,s
        jmp start
        jml start
        jmp distant
        jml [middle]
        jml (middle)
        jmp (middle,x)
        jsr (middle,x)
        jsr distant
        jsl start
        lda #^distant
        lda #<distant
        lda #.bankbyte(distant)
        ldx #.hibyte(distant)
        pea start
        pea .loword(distant)
        pea .hiword(distant)
        pei (zp)
        per start
        brl start
        brl forward
        mvn #$12, #$34
        mvp distant, start
        mvn #^distant, #0
        cop $12
        wdm $12
        brk
        brk $12
        .faraddr start, distant
        .addr start, distant
        .dword distant
        .byte ^distant, .bankbyte(start)
        .word .loword(distant), .hiword(distant)
forward:
        nop
