; about: .smart: rep and sep say how long immediate values are; rts of a far scope
; args: --cpu 65816
; = C2 30 A9 34 12 A2 34 12 E2 20 A9 12 A0 34 12 E2 10 A0 12 C2 30 C9 34 12 E0 34 12 E2
; = 30 A9 34 12 C2 20 10 08 60 6B 20 24 80 6B 22 25 80 00 5C 25 80 00 60

        .smart
        rep #$30
        lda #$1234
        ldx #$1234
        sep #$20
        lda #$12
        ldy #$1234
        sep #$10
        ldy #$12
BOTH = $30
        rep #BOTH
        cmp #$1234
        cpx #$1234
        .smart -
        sep #$30
        lda #$1234
        .a8
        .i8
        .smart +
        rep #$20
        .byte .asize, .isize
near:   rts
.proc distant : far
        rts
        jsr near
        rts
.endproc
        jsl distant
        jmp f:distant
        rts
