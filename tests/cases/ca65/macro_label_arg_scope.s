; about: a label passed with its scope as macro argument
; = 60 20 00 80 A9 00 20 00 80 A9 80

.scope sc
    .proc work
        rts
    .endproc
.endscope
.macro call target, low
        jsr target
        lda #low target
.endmacro
        call sc::work, <
        call ::sc::work, >
