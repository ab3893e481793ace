; about: .autoimport imports everything undefined
; also: ext_label.part.s
; = 20 05 80 A9 05 60

.autoimport +
        jsr ext_label
        lda #<ext_label
