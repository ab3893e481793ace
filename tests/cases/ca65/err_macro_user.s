; about: .error, .warning and .assert in a macro are reported at the call
; warning: 15: value is at its limit
; ours: 12: three
; error: 16: value 9 is too large

.macro check value
.if value > 5
        .error .sprintf("value %d is too large", value)
.elseif value = 5
        .warning "value is at its limit"
.endif
        .assert value <> 3, error, "three"
.endmacro
        check 1
        check 5
        check 9
        check 3
