; about: the distance to an import is no byte, but its low part is taken
; also: ext_label.part.s
; = 02 A9 02 60

.import ext_label
        .byte <(ext_label - * - 1)
        lda #<(ext_label - *)
