; about: a symbol used before its definition is absolute; a warning tells that zero page was possible
; = AD 12 00 9D 12 00 A9 12
; warning: 5

        lda later
        sta later, x
        lda #later
later = $12
