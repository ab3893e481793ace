; about: conditional assembly and .match inside of macros
; = A9 01 A2 02 A0 03

.macro load reg, value
.if .xmatch({reg}, a)
        lda #value
.elseif .xmatch({reg}, x)
        ldx #value
.elseif .xmatch({reg}, y)
        ldy #value
.else
        .error "unknown register"
.endif
.endmacro
        load a, 1
        load x, 2
        load y, 3
