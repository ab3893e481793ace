; about: arguments and bodies with strings, comments and several statements by nested macros
; = 04 6F 6E 65 3B 00 09 74 77 6F 2C 74 68 72 65 65 00

.macro say text
        .byte .strlen(text), text, 0
.endmacro
.macro both t1, t2
        say t1 ; first
        say t2 ; second
.endmacro
        both "one;", "two,three"
