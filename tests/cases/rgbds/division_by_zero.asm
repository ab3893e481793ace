; about: a division by zero ends the run
; error: 5: Division by zero

SECTION "a", ROM0
	db 1 / 0
	db 300
