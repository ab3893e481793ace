; about: references to unnamed labels that do not exist
; error: 5: undefined
; error: 7: undefined

        jmp :-
:       nop
        jmp :--
        jmp :+
