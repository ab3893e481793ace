; about: conditional assembly cannot be left open in an included source
; error: openif.inc:1: never closed

.include "openif.inc"
        nop
