; about: labels, constants, macros and scopes that are never used say nothing
; = EA

unused_label:
unused_constant = 5
.macro unused_macro
        bogus
.endmacro
.scope unused_scope
.endscope
.define UNUSED 5
        nop
