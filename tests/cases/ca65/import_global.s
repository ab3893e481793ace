; about: .global imports or exports, whatever is needed, .globalzp is for the zero page
; also: import_global.part.s
; = 4C 07 80 A5 01 A5 00 4C 00 80 A5 00 A5 01

.global here, there
.globalzp zhere, zthere
.zeropage
zhere:  .res 1
.code
here:   jmp there
        lda zthere
        lda zhere
