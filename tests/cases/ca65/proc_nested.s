; about: names are searched in the enclosing scopes, ::name starts at the global one
; = A9 03 A9 01 A9 02 A9 02 A9 03 A9 02 A9 03 20 00 80 20 00 80 A9 01 A9 03

value = 1
.proc outer
value = 2
    .proc inner
value = 3
        lda #value
        lda #::value
        lda #outer::value
        lda #::outer::value
        lda #::outer::inner::value
    .endproc
        lda #value
        lda #inner::value
        jsr inner
        jsr outer::inner
.endproc
        lda #value
        lda #outer::inner::value
