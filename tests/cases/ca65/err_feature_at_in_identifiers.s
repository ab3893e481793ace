; about: without the feature @ ends an identifier
; error: 4

la@bel: nop
