; about: cheap local labels belong to the last ordinary label
; = CA D0 FD F0 01 EA 60 88 D0 FD 60

first:
@loop:  dex
        bne @loop
        beq @done
        nop
@done:  rts
second:
@loop:  dey
        bne @loop
@done:  rts
