; about: a .define name cannot be used as a label
; error: 5

.define five 5
five:   nop
