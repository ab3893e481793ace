; about: .linecont allows a backslash at the end of the line
; = 01 02 03 03

.linecont +
        .byte 1, \
              2, \
              3
.macro add2 p1, \
            p2
        .byte p1 + p2
.endmacro
        add2 \
          1, 2
.linecont -
