; about: .define texts that contain other .define names, replaced when they are used
; = 06 08 03

.define A1 B1 + 1
.define B1 5
        .byte A1
.undefine B1
.define B1 7
        .byte A1
.undef A1
A1 = 3
        .byte A1
