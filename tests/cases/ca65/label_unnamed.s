; about: unnamed labels and references to them by count
; = EA 4C 00 80 D0 02 F0 01 EA E8 D0 FD D0 FA D0 F0 4C 17 80 17 80 09 80

:       nop
        jmp :-
        bne :+
        beq :++
:       nop
:       inx
        bne :-
        bne :--
        bne :---
        jmp :+
        .addr :+, :-
:
