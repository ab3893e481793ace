; about: a .define known at the definition of a macro is replaced in its body then, not at the call
; = 01 01

.define LATE 1
.macro show
        .byte LATE
.endmacro
        show
.undefine LATE
.define LATE 2
        show
