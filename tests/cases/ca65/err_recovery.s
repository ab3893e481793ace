; about: the assembly goes on after an error, every wrong line is reported
; error: 8: range error
; error: 10
; error: 11: illegal addressing mode
; error: 12: range error
; error: 13: range error

        lda #256
        nop
        bogus
label:  ldx label, x
        .byte 300
        .word 70000
        sta undefined_name
        bne *+200
        jmp label
