; about: several features in one line, in any case
; = 4C 00 80

.feature at_in_identifiers, Dollar_Is_PC
la@b:   jmp $
