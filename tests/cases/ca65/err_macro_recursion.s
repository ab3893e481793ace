; about: a macro that calls itself without an end
; error: 7: nested

.macro forever
        forever
.endmacro
        forever
