; about: feature at_in_identifiers
; = EA 4C 00 80 4C 04 80

.feature at_in_identifiers
la@bel: nop
        jmp la@bel
@cheap: jmp @cheap
