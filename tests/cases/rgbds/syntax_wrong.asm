; about: lines that mean nothing; the run goes on after each
; error: 12
; error: 13
; error: 14
; error: 15: syntax error, unexpected '+' at the beginning of the line (is it a leftover diff mark?)
; error: 16
; error: 17
; error: 18
; error: 19

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
