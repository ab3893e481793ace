; about: offsets and zero page labels combined
; = A5 01 A5 07 B5 02 A0 02

.struct obj
        px .byte
        py .byte
.endstruct
.zeropage
hero:   .tag obj
list:   .res .sizeof(obj) * 8
.code
        lda hero + obj::py
        lda list + obj::py + .sizeof(obj) * 2
        lda list + obj::px, x
        ldy #.sizeof(obj)
