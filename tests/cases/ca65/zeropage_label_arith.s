; about: differences and parts of labels
; = EA EA AD 01 00 A5 00 A5 80 AD 00 00 AD 80 00 A5 00 A5 00 A5 00
; warning: 10: suspicious
; warning: 11: suspicious
; warning: 14: suspicious

label1: nop
label2: nop
        lda label2 - label1
        lda <label1
        lda >label1
        lda label1 & $FF
        lda label1 / 256
        lda .lobyte(label1)
        lda label2 = label1
        lda !label1
