; about: an .import without any use does not need a definition
; = EA

.import nowhere
        nop
