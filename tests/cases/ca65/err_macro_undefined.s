; about: unknown instructions, macros and labels without a colon
; error: 8
; error: 9
; error: 10
; error: 11
; error: 12: illegal addressing mode

        unknown
        missing 1, 2
        label nop
        lad #5
        nop nop
