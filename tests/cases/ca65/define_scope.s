; about: .define knows no scopes
; = 05

.proc p
.define INSIDE 5
.endproc
        .byte INSIDE
