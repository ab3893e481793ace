; about: z: with the label of an absolute segment
; error: 4: illegal addressing mode

label:  lda z:label
