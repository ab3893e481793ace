; about: .segment with a name selects a segment of the configuration
; config: extra.cfg
; = 4C 09 80 A5 00 01 02 03 04 09 80 00 00

.segment "CODE"
        jmp vectors
.segment "VECTORS"
vectors: .addr vectors, fast
.segment "EXTRA"
        .byte 1, 2, 3
.segment "FASTZP": zeropage
fast:   .res 1
.segment "CODE"
        lda fast
.segment "EXTRA"
        .byte 4
