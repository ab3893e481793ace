; about: hexadecimal, binary and decimal numbers, and the suffix h
; = 1F AB 0A 0A FF 10 0A 7F 07 00 FF FF FF FF 01 00 FF FF FF FF FF FF FF FF
; = 01 FF 00 FF

.byte $1F, $aB, %1010, 10, 0FFh, 10h, 0ah, 7FH, 007, 0
.word 0FFFFh, 65535, $00000001
.dword 4294967295, $FFFFFFFF, %11111111000000001111111100000001
