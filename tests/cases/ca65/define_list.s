; about: one list used for low and high bytes
; = 0C 0D 0E 80 80 80 0C 80 0D 80 0E 80 EA EA EA

.define handlers h1, h2, h3
low:    .lobytes handlers
high:   .hibytes handlers
words:  .word handlers
h1:     nop
h2:     nop
h3:     nop
