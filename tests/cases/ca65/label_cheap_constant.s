; about: cheap locals can be constants
; = A9 04 A2 09 A9 05

first:
@size = 4
        lda #@size
        ldx #@next
@next = 9
second:
@size = 5
        lda #@size
