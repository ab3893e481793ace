; about: a label in a macro without .local is defined twice
; error: 8: already defined

.macro mark
label:  nop
.endmacro
        mark
        mark
