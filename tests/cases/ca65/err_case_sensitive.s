; about: .case + is the default
; error: 9: undefined

.case -
One = 1
        lda #one
.case +
Two = 2
        lda #two
