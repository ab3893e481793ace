.import start, LIMIT: zp
.importzp small
.export routine, count: abs = $1234, back
.exportzp pointer
.zeropage
pointer: .res 2
.code
routine:
        inc small
        ldx #LIMIT
        jmp start
back:   rts
