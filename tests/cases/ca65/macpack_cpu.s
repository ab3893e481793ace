; about: .macpack cpu with the numbers of the processors
; = 02 0A 1A 2A 02 00 04 00 08 00 10 00 20 00 01

.macpack cpu
        .byte CPU_6502, CPU_65SC02, CPU_65C02, CPU_65816
        .word CPU_ISET_6502, CPU_ISET_6502X, CPU_ISET_65SC02, CPU_ISET_65C02, CPU_ISET_65816
.if .cpu .bitand CPU_ISET_6502
        .byte 1
.endif
