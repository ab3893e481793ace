; about: a macro that defines constants, variables and other macros
; = 00 01 02 03

counter .set 0
.macro next name
name = counter
counter .set counter + 1
.endmacro
        next red
        next green
        next blue
        .byte red, green, blue, counter
