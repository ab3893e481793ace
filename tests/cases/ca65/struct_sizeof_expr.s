; about: sizes of structures in .res and in expressions
; = AD 07 02 A2 03 0C 02

.struct item
        kind .byte
        pos .word
.endstruct
ITEMS = 4
.bss
items:  .res .sizeof(item) * ITEMS
end:
.code
        lda items + .sizeof(item) * 2 + item::pos
        ldx #.sizeof(item)
        .addr end
