; about: a label in a loop is defined again in every turn, reported in the line of .endrepeat
; original: 7: already defined
; ours: 6: already defined

.repeat 2
label:  nop
.endrepeat
