; about: a number may not end with an underline
; error: 5

.feature underline_in_numbers
        .byte 1_
