; about: feature c_comments
; = A9 05 A2 06 04

.feature c_comments
        lda #5 /* a comment */
/* over
   several
   lines */
        ldx /* inside */ #6
        .byte 8/2 /**/
