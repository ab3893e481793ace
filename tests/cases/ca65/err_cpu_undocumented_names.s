; about: other names of undocumented instructions are unknown
; error: 9
; error: 10
; error: 11
; error: 12
; error: 13

.setcpu "6502X"
        isb $12
        kil
        sbx #1
        xaa #1
        dcm $12
