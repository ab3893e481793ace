; about: .cpu holds bits for the instruction sets that the processor has
; = 02 00 02 00 06 00 01 00 02 00

.macpack cpu
.word .cpu
.byte .cpu .bitand CPU_ISET_6502, (.cpu .bitand CPU_ISET_65C02) <> 0
.setcpu "6502X"
.word .cpu
.setcpu "none"
.word .cpu
.p02
.word .cpu
