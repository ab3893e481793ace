; about: .out prints its text at assembly time
; =
; out: first
; out: value 1
; out: value 2
; out: ab5

.out "first"
.macro note n
.out .sprintf("value %d", n)
.endmacro
        note 1
        note 2
.if 0
.out "never"
.endif
.out .concat("a", "b", .string(5))
