; about: the distance of two labels of a segment is a constant
; = EA EA 11 11 02

first:
        nop
        nop
last:
.res last - first, $11
.if last - first = 2
.byte 2
.endif
