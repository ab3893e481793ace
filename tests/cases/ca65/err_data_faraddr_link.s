; about: the linker checks the ranges of values that only it knows
; also: link_values.part.s
; warning: link: address size mismatch
; error: 7: range error

.import one, minus, big
.word big
