; about: symbols in a macro belong to the scope of the call
; = A9 05 60 05 20 00 80

.macro make
value = 5
.endmacro
.macro routine name, number
.proc name
        lda #number
        rts
.endproc
.endmacro
.scope one
        make
.endscope
.scope two
        make
        routine sub1, value
.endscope
        .byte one::value
        jsr two::sub1
