; about: feature labels_without_colons takes a name at the begin of a line as a label
; = A9 01 CA D0 FD 4C 05 80 4C 00 80 4C 0B 80

.feature labels_without_colons
start   lda #1
loop    dex
        bne loop
alone
        jmp alone
with:   jmp start
value = 5
@local  jmp @local
