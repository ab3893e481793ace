; about: the operators written as words
; = 02 07 05 FA 08 02 02 05 02 34 12 12 78 56 34 12 FF FF FF FF

.byte 6 .bitand 3, 6 .bitor 3, 6 .bitxor 3, .bitnot 5 & $FF, 1 .shl 3, 8 .shr 2, 17 .mod 5
.byte 1 .shl 2 + 1, 6 .BITAND 3, .LOBYTE($1234), .hibyte($1234), .bankbyte($123456)
.word .loword($12345678), .hiword($12345678), .loword(-1), .hiword(-2)
