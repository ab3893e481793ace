; about: the nearest scope of a name counts, even if it lacks the symbol
; error: 10: undefined

.scope lib
value = 1
.endscope
.scope app
    .scope lib
    .endscope
        lda #lib::value
.endscope
