; about: .sizeof of something without a known size
; error: 8: is unknown
; error: 9: unknown symbol
; error: 11: unknown symbol

constant = 5
alone:
        .byte .sizeof(constant)
        .byte .sizeof(nothing)
        .byte .sizeof(alone)
        .byte .sizeof(later)
.proc later
        nop
.endproc
