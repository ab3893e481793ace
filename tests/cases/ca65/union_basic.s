; about: all members of a .union begin at 0, its size is that of the largest
; = 00 00 00 07 07

.union value
        byte1 .byte
        word1 .word
        text  .res 7
.endunion
        .byte value::byte1, value::word1, value::text, .sizeof(value), .sizeof(value::text)
