; about: .proc and .scope with an address size
; = 4C 00 80 EA 4C 03 80

.proc work: near
        jmp work
.endproc
.scope data: absolute
item:   nop
.endscope
        jmp data::item
