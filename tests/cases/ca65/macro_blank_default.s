; about: default values with .ifblank and nested macro arguments
; = A9 00 A9 05 A9 00 8D 34 12 A9 06 95 12

.macro store v, addr
.ifblank v
        lda #0
.else
        lda #v
.endif
.ifnblank addr
        sta addr
.endif
.endmacro
        store
        store 5
        store , $1234
        store 6, {$12, x}
