; about: assertions with warnings at assembly and at link time
; = EA
; warning: 10: never true
; warning: 11
; warning: 12: label is elsewhere
; warning: 13: told by the linker
; warning: 14

label:  nop
.assert 0, warning, "never true"
.assert 0, warn
.assert label = 1, warning, "label is elsewhere"
.assert 0, ldwarning, "told by the linker"
.assert label = 2, ldwarn
