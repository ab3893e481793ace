; about: .cpu holds bits for the instruction sets that the processor has
; = 02 00 02 00 06 00 1A 00 0A 00 3A 00 02 00

.macpack cpu
.word .cpu
.byte .cpu .bitand CPU_ISET_6502, (.cpu .bitand CPU_ISET_65C02) <> 0
.setcpu "6502X"
.word .cpu
.setcpu "65C02"
.word .cpu
.setcpu "65SC02"
.word .cpu
.setcpu "65816"
.word .cpu
.setcpu "6502"
.word .cpu
