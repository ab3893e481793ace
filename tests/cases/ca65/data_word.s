; about: .word, .addr, .dbyt, .faraddr and .dword and their byte order
; = 34 12 05 00 22 80 34 12 22 80 12 34 00 05 80 22 56 34 12 22 80 00 78 56
; = 34 12 22 80 00 00 01 00 00 00

.word $1234, 5, label
.addr $1234, label
.dbyt $1234, 5, label
.faraddr $123456, label
.dword $12345678, label, 1
label:
