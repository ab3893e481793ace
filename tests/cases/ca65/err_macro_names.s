; about: macros defined twice, removed without existing, or named like an instruction
; error: 10: already defined
; error: 13
; error: 15: no such macro
; error: 16
; error: 18: duplicate symbol

.macro one
.endmacro
.macro one
        .byte 1
.endmacro
.macro lda
.endmacro
.delmacro two
.macro 5
.endmacro
.macro dup p1, p1
.endmacro
