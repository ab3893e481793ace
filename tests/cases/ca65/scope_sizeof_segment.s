; about: the size of a procedure counts the bytes in the segment in which it began
; = EA 60 02 01 02 03

.proc pr
.zeropage
p:      .res 2
.code
        nop
.data
        .byte 1, 2, 3
.code
        rts
.endproc
        .byte .sizeof(pr)
