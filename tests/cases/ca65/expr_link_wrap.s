; about: numbers have 32 bits on their way to the linker: $FFFFFFFF beside an address is -1
; = FF 7F 00 00 FF 7F 80 00

start:  .dword start + $FFFFFFFF
        .word start - 1
        .byte >(start + $FFFFFFFF + 2), <(start + 65536)
