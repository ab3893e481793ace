; about: .asciiz takes strings only
; error: 6
; error: 7
; error: 8

.asciiz 5
.asciiz "a", 5
.asciiz
