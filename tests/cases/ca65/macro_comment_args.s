; about: a comment ends the arguments, blanks around them do not count
; = 01 02 01 02

.macro two p1, p2
        .byte p1, p2
.endmacro
        two   1  ,   2   ; three
        two 1,2; 3
