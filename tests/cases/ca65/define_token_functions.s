; about: .define texts as arguments of functions
; = 06 05 70 72 65 66 69 78 78 09 80

.define NAME "prefix"
.define LIST 1, 2, 3
        .byte .strlen(NAME), .tcount({LIST}), .concat(NAME, "x")
.ident(.concat(NAME, "_label")):
        .addr prefix_label
