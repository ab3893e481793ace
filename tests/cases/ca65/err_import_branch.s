; about: a branch to an import is a range error already at assembly time, however near it is
; also: ext_label.part.s
; error: 6: range error

.import ext_label
        bne ext_label
