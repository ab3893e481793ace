; about: a nested .repeat cannot use the name of the outer counter, which is already replaced
; original: 9
; ours: 6

.repeat 2, i
    .repeat 3, i
        .byte i
    .endrepeat
.endrepeat
