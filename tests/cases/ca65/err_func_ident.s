; about: .ident needs a string with a valid identifier
; error: 7
; error: 8
; error: 9
; error: 10

.ident("1a") = 5
.ident(5) = 5
.ident("a b") = 5
.ident("") = 5
