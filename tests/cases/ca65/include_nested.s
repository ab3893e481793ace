; about: conditional assembly around an include, and a constant that guards against reading it twice
; = EA 05

.include "guard.inc"
.include "guard.inc"
.ifdef GUARD
.include "guard.inc"
.endif
        .byte VALUE
