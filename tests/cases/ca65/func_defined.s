; about: .defined and .referenced look at the symbols known so far
; = 01 00 01 00 01 00 00 A5 01 01 01 01 4C 11 80 00 01 01 00 01 00 01

.scope sc
inner = 1
.endscope
known = 1
        .byte .defined(known), .defined(later), .defined(sc::inner), .defined(sc::other), .defined(::known)
        .byte .referenced(known), .referenced(sc::inner)
        lda known
        .byte .referenced(known), .def(known), .ref(known)
        jmp later
        .byte .defined(later), .referenced(later)
later:
        .byte .defined(later)
.import ext
        .byte .defined(ext)
.proc p
        .byte .defined(known), .defined(local)
local:
        .byte .defined(local)
.endproc
