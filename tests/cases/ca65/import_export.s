; about: imports and exports between two sources
; also: import_export.part.s
; = 20 0D 80 AD 34 12 85 01 B1 01 4C 14 80 E6 00 A2 05 4C 00 80 60

.import routine, count: abs
.importzp pointer
.export start, LIMIT = 5
.exportzp small
.zeropage
small:  .res 1
.code
start:  jsr routine
        lda count
        sta pointer
        lda (pointer), y
        jmp back
.import back
