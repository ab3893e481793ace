; about: characters are mapped when they are used as values, also in conditions and in the next .charmap
; = 01 05 05

.charmap 'A', 5
.if 'A' = 5
        .byte 1
.else
        .byte 2
.endif
.charmap 'A', 9
        .byte 'A', .strat("A", 0)
