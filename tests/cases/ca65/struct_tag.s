; about: .tag reserves room for a structure
; = AD 02 02 04 02 10 02 04 0C

.struct point
        px .word
        py .word
.endstruct
.bss
p1:     .tag point
p2:     .tag point, 3
end:
.code
        lda p1 + point::py
        .addr p2, end
        .byte .sizeof(p1), .sizeof(p2)
