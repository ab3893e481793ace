.import one: zp, two, three
.importzp four
        lda one
        lda two
        lda three
        lda four
