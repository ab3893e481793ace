; about: references to several unnamed labels in both directions
; = 01 02 01 80 00 80 0C 80 0D 80 0E 80 03 04 05 0E 80 0D 80 0C 80 01 80 00
; = 80

:       .byte 1
:       .byte 2
        .addr :-, :--, :+, :++, :+++
:       .byte 3
:       .byte 4
:       .byte 5
        .addr :-, :--, :---, :----, :-----
