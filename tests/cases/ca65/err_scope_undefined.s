; about: unknown scopes and unknown symbols in a known scope
; error: 9: no such scope

.scope known
a1 = 1
.endscope
        lda #known::a1
        lda #known::a2
        lda #unknown::a1
        lda #a1
