; about: equal names are fine in different scopes
; = A9 01 A9 02 20 02 80 20 00 80 20 02 80

.scope one
    .proc work
        lda #1
    .endproc
.endscope
.scope two
    .proc work
        lda #2
    .endproc
        jsr work
        jsr one::work
.endscope
        jsr two::work
