; about: a, x and y are registers, other short names and names like b1 are labels
; = EA EA 4C 00 80 A9 03 A9 04 A9 05 A5 02

b:      nop
c1:     nop
z1 = 2
f = 3
z = 4
s = 5
        jmp b
        lda #f
        lda #z
        lda #s
        lda z1
