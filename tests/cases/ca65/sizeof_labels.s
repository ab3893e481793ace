; about: the size of a label is that of the data in its line or up to the next label of that line
; = 01 02 03 04 05 00 00 00 00 00 4C 00 80 61 62 63 00 01 00 00 00 02 00 00
; = 00 02 05 03 04 08 01 02 03 03 03 10 11 12 13 14 15 16 17 FF 00 0A 0D 0C
; = 05 00 02

one:    .byte 1, 2
        .byte 3
two:
        .byte 4, 5
three:  .res 5
four:   jmp one
five:   .asciiz "abc"
six:    .dword 1, 2
        .byte .sizeof(one), .sizeof(three), .sizeof(four), .sizeof(five), .sizeof(six)
.scope sc
inner:  .byte 1, 2, 3
.endscope
        .byte .sizeof(sc::inner), .sizeof(sc)
last:   .incbin "data.bin"
        .byte .sizeof(last)
@cheap: .word 5
        .byte .sizeof(@cheap)
