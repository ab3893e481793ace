; about: even with the feature a name behind blanks is no label
; error: 5

.feature labels_without_colons
        start lda #1
