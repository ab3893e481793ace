; about: .p02, .setcpu, .pushcpu and .popcpu
; = B1 12 A7 12 0C 34 12 EA A7 12 EA

        lda ($12), y
.pushcpu
.setcpu "6502x"
        lax $12
        nop $1234
.popcpu
        nop
.setcpu "6502X"
.pushcpu
.p02
.popcpu
        lax $12
        nop
