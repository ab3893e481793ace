; about: conditions and .cpu of each CPU
; = 01 02 00 00 00 00 00 02 0A 00 01 00 00 00 03 1A 00 01 01 00 00 01 04 3A 00 01 00 01
; = 00 06 00 00 00 00 01 80 FE A7 12 01 02 00 00 00 00 00

.macro which
  .ifp02
        .byte 1
  .endif
  .ifpsc02
        .byte 2
  .endif
  .ifpc02
        .byte 3
  .endif
  .ifp816
        .byte 4
  .endif
        .word .cpu
        .byte .ismnemonic(bra), .ismnemonic(bbr0), .ismnemonic(jsl), .ismnemonic(lax)
.endmacro
.macpack cpu
        which
        .psc02
        which
        .pc02
        which
        .byte (.cpu .bitand CPU_ISET_65C02) <> 0
        .p816
        which
        .setcpu "6502X"
        which
        .pushcpu
        .setcpu "65c02"
        bra *
        .popcpu
        lax $12
        .p02
        which
