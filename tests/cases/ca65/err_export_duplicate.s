; about: two sources export the same name
; also: ext_label.part.s
; error: link: duplicate external

.export ext_label
ext_label: nop
