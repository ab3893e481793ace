; about: lines that mean nothing; the run goes on after each
; error: 12: syntax error
; error: 13: syntax error
; error: 14: syntax error
; error: 15: syntax error, unexpected '+' at the beginning of the line (is it a leftover diff mark?)
; error: 16: syntax error
; error: 17: syntax error
; error: 18: syntax error
; error: 19: syntax error

SECTION "a", ROM0
	db 1 +
	ld a
	nop nop
+	db 1
	db (1
	section
	"text"
	db 1,,2
	db 5
