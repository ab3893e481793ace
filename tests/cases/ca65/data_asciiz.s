; about: .asciiz emits all its strings with one zero byte at the end
; = 68 65 6C 6C 6F 00 61 62 00 00

.asciiz "hello"
.asciiz "a", "b"
.asciiz ""
