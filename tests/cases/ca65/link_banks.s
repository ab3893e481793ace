; about: banks at the same address, one after the other in one file
; config: banks.cfg
; = 4C 00 80 FF FF FF FF FF FF FF FF FF FF FF FF FF 4C 00 80 EE EE EE EE EE
; = EE EE EE EE EE EE EE EE 4C 00 80 4C 00 80 4C 00 C0 00 00 00 00 00 00 00

.segment "BANK0"
in0:    jmp in0
.segment "BANK1"
in1:    jmp in1
.segment "FIXED"
in2:    jmp in0
        jmp in1
        jmp in2
