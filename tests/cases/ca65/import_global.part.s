.global here, there
.globalzp zhere, zthere
.zeropage
zthere: .res 1
.code
there:  jmp here
        lda zhere
        lda zthere
