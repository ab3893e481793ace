; about: members of a structure or union without a name belong to the outer one
; = 00 01 01 02 03 04 05

.struct packet
        kind .byte
        .union
            number .word
            .struct
                low  .byte
                high .byte
                more .byte
            .endstruct
        .endunion
        after .byte
.endstruct
        .byte packet::kind, packet::number, packet::low, packet::high, packet::more, packet::after, .sizeof(packet)
