; about: unnamed labels ignore scopes, segments and macro borders
; = EA 4C 00 80 EA 4C 04 80 4C 04 80 EA 4C 0B 80 4C 04 80 4C 15 80 01 15 80

.macro back
        jmp :-
.endmacro
.macro mark
:       nop
.endmacro
:       nop
.proc p
        jmp :-
:       nop
.endproc
        jmp :-
        back
        mark
        jmp :-
        jmp :--
        jmp :+
.rodata
:       .byte 1
        .addr :-
