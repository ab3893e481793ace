; about: names with underscores, digits and many characters
; = EA EA EA EA 4C 00 80 4C 01 80 4C 02 80 4C 03 80

_under_: nop
a2345678901234567890123456789012345678901234567890123456789: nop
__: nop
A1b2C3: nop
        jmp _under_
        jmp a2345678901234567890123456789012345678901234567890123456789
        jmp __
        jmp A1b2C3
