; about: register sizes of the 65816 on a 6502
; error: 7: only valid in 65816
; error: 8: only valid in 65816
; error: 9: only valid in 65816
; error: 10: only valid in 65816

.a8
.a16
.i8
.i16
.smart
        nop
