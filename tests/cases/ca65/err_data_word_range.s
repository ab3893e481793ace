; about: range errors of .word, .addr, .dbyt and .faraddr
; error: 7: range error
; error: 8: range error
; error: 9: range error

.word 65535
.word 65536
.word -1
.addr $12345
.dbyt $12345
.faraddr $1234567
.faraddr -1
.dword -1
