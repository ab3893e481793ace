; about: .org in a structure changes the offset of the next member but not the size
; = AD 00 D0 8D 10 D0 04

.struct regs
        .org $D000
        control .byte
        status  .byte
        .org $D010
        data    .word
.endstruct
        lda regs::control
        sta regs::data
        .byte .sizeof(regs)
