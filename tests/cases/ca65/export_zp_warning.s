; about: a symbol exported for the zero page that is larger gives a warning
; also: export_zp.part.s
; = EA
; warning: 7

.exportzp large
large = $1234
