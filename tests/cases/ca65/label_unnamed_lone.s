; about: an unnamed label alone on its line and one before a command
; = CA D0 FD 03 80 07 80 05

:
        dex
        bne :-
:       .word :-, :+
: .byte 5
