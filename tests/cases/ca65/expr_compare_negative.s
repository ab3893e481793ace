; about: the assembler's values are signed and have 64 bits
; = 01 00 00 01 01 01 80 00 01 01

        .byte -1 < 1, -1 > 1, $FFFFFFFF < 1, $80000000 > 0, 0 - 1 = -1, (-1 & $FFFFFFFF) = $FFFFFFFF
        .byte <(-128), <(-1 / 2), (-1 .mod 2) = -1, (-7 / 2) = -3
