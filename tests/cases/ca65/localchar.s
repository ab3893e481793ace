; about: .localchar changes the first character of cheap locals
; = 4C 00 80 4C 03 80

.localchar '?'
first:
?loop:  jmp ?loop
second:
?loop:  jmp ?loop
