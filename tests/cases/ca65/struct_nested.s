; about: nested structures with a name are scopes, .tag inserts another structure
; = 00 00 02 05 07 0F 10 04 02 08 06

.struct point
        px .byte
        py .byte
.endstruct
.struct sprite
        id .byte
        .struct size
            w .word
            h .word
        .endstruct
        pos .tag point
        corners .tag point 4
        last .byte
.endstruct
        .byte sprite::id, sprite::size::w, sprite::size::h, sprite::pos, sprite::corners, sprite::last
        .byte .sizeof(sprite), .sizeof(sprite::size), .sizeof(sprite::pos), .sizeof(sprite::corners)
        .byte sprite::pos + point::py
