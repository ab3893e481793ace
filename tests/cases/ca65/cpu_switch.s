; about: .p02, .psc02, .pc02, .setcpu, .pushcpu and .popcpu
; = B1 12 B2 12 64 12 DA 8F 12 FF 9C 34 12 80 FE A7 12 EA

        lda ($12), y
.pushcpu
.pc02
        lda ($12)
        stz $12
        phx
        bbs0 $12, *
.setcpu "65SC02"
        stz $1234
        bra *
.popcpu
.setcpu "6502X"
        lax $12
.p02
        nop
