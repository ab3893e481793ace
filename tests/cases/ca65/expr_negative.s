; about: division and remainder round toward zero; a shift to the right of a negative value is a logical one of 64 bits
; = FD FD FF 01 FC FF FF 01 01 0F FC FF FF FF FD FF FF FF 00 00 00 08 FF FF
; = FF 7F 00 00 00 80

.byte <(-7/2), <(7/-2), <(-7 .mod 3), <(7 .mod -3)
.byte <(-8>>1), <(-1>>4), ^(-1>>4), (-8>>1) > 0, (-1>>63) = 1, (-1>>60)
.dword (-8>>1) & $FFFFFFFF, (-7/2) & $FFFFFFFF, $80000000>>4, $FFFFFFFF/2, (0-$80000000) & $FFFFFFFF
