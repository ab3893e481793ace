; about: the same import or global declaration may be repeated
; also: ext_label.part.s
; = 4C 03 80 60

.import ext_label
.import ext_label
.global ext_label
.global ext_label
        jmp ext_label
