; about: the counter is replaced even behind :: in a loop
; original: 10
; ours: 9

.scope sc
i = 8
.endscope
.repeat 2, i
        .byte sc::i
.endrepeat
