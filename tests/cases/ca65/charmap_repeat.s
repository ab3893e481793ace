; about: .charmap in a loop moves the letters
; = 08 05 0C 0C 0F 61 20 1A

.repeat 26, i
.charmap $41 + i, 1 + i
.endrepeat
.byte "HELLO", "a Z"
