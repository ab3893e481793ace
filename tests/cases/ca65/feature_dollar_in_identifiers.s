; about: feature dollar_in_identifiers
; = EA 4C 00 80 A5 12

.feature dollar_in_identifiers
la$bel: nop
        jmp la$bel
        lda $12
