; about: the usual test for an immediate operand in a macro
; = A9 34 A2 12 AD 34 12 AE 35 12 A5 12 A6 13

.macro ldax arg
.if (.match (.left (1, {arg}), #))
        lda #<(.right (.tcount ({arg})-1, {arg}))
        ldx #>(.right (.tcount ({arg})-1, {arg}))
.else
        lda arg
        ldx 1+(arg)
.endif
.endmacro
        ldax #$1234
        ldax $1234
        ldax $12
