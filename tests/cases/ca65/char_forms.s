; about: character constants, also with quotes and a semicolon inside
; = 61 20 3B 22 27 5C 69 74 27 73 3B 20 74 65 78 74 79

.byte 'a', ' ', ';', '"', ''', '\'
.byte "it's; text", 'x'+1
