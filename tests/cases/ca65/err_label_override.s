; about: a, f and z followed by a colon are address size overrides and never labels
; error: 6
; error: 7
; error: 8

z:      nop
f:      nop
a:      nop
