; about: .define names are replaced even behind .ifdef and .defined
; = 01 02

.define SOMETHING symbol
symbol = 1
        .byte .defined(SOMETHING)
.ifdef SOMETHING
        .byte 2
.endif
