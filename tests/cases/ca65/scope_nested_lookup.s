; about: a name with a scope is searched from the current scope outward
; = 60 20 00 80 A9 05 A9 05

.scope lib
    .proc tool
        rts
    .endproc
.endscope
.scope app
    .scope lib
value = 5
    .endscope
    .proc main
        jsr ::lib::tool
        lda #lib::value
        lda #app::lib::value
    .endproc
.endscope
