; about: .sizeof of procedures, scopes and labels counts the bytes emitted there
; = A9 01 60 01 02 03 04 01 00 02 00 03 00 68 65 6C 6C 6F 6D 6F 72 65 00 00
; = 00 00 00 00 00 A9 01 03 04 06 05 07 02 EA EA 03 03

.proc pr
        lda #1
        rts
.endproc
.scope sc
        .byte 1, 2, 3, 4
.endscope
table:  .word 1, 2, 3
text:   .byte "hello"
        .byte "more"
room:   .res 7
none:
code:   lda #1
        .byte .sizeof(pr), .sizeof(sc), .sizeof(table), .sizeof(text), .sizeof(room), .sizeof(code)
.proc self
        nop
        nop
        .byte .sizeof(pr)
.endproc
        .byte .sizeof(self)
