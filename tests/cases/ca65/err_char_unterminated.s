; about: character and string constants that are not closed
; error: 6: illegal character
; error: 7: newline in string
; error: 10: illegal character

.byte 'a
.byte "open

.byte "fine"
.byte ''
