; about: .struct names offsets, .sizeof gives sizes of members and of the whole
; = 00 02 06 0A 0F 12 16 18 02 04 05 03 AD 06 10 A0 0A

.struct point
        xpos .word
        ypos .word 2
        flag .byte
        .byte 3
        name .res 5
        far  .faraddr
        big  .dword
        ptr  .addr
.endstruct
        .byte point::xpos, point::ypos, point::flag, point::name, point::far, point::big, point::ptr
        .byte .sizeof(point), .sizeof(point::xpos), .sizeof(point::ypos), .sizeof(point::name), .sizeof(point::far)
        lda $1000 + point::flag
        ldy #point::name
