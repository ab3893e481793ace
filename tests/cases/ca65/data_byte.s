; about: .byte and .byt take numbers, characters, strings and expressions
; = 01 FF 05 41 74 65 78 74 05 7A 34 12 61 00 FF

.byte 1, $FF, %101, 'A', "text", 2+3
.byt "", 'z', <$1234, >$1234
.byte "a", 0
.byte -1 & $FF
