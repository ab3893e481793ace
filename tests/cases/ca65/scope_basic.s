; about: .scope opens a scope without a label, also without a name
; = A9 07 A9 28 A2 19 A0 02

.scope video
width = 40
height = 25
    .scope colour
red = 2
    .endscope
.endscope
.scope
width = 7
        lda #width
.endscope
        lda #video::width
        ldx #video::height
        ldy #video::colour::red
