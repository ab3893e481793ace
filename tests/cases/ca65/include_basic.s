; about: .include reads another source, also from a folder named with -I
; args: -I inc
; = A9 21 A9 32 E8 C8

.include "shared.inc"
.include "deep.inc"
        lda #SHARED
        lda #DEEP
        shared_macro
