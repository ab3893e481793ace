; about: square brackets and parentheses do not protect commas
; = 02 02 05 00 05 00

.macro two p1, p2
        .byte .tcount({p1}), .tcount({p2})
.endmacro
        two [1, 2]
        two {[1, 2]}
        two {(1, 2)}, {}
