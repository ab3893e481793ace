; about: branches that are one byte too far
; error: 6: range error
; error: 7: range error

back:   .res 127
        bne back
        bne forward
        .res 128
forward: nop
