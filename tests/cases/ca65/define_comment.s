; about: a comment behind .define is not part of the text, an empty text vanishes
; = 05 05 EA A9 05

.define VALUE 5 ; not this
.define NOTHING ; nor this
        .byte VALUE, VALUE
        NOTHING nop
        lda #VALUE NOTHING
