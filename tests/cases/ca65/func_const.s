; about: .const and .ifconst tell whether an expression is known now
; also: ext.part.s
; = EA 01 01 00 00 00 01 00 00 01 02 01 01 01

.import ext
label:  nop
label2:
value = 5
        .byte .const(5), .const(value), .const(label), .const(ext), .const(later), .const(label2-label), .const(*), .const(label2 - label + later)
.ifconst value
        .byte 1
.endif
.ifnconst label
        .byte 2
.endif
later = 5
        .byte .const(later)
.org $1000
        .byte .const(*)
abs:    .byte .const(abs)
