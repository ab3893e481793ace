; about: ALIGN in the middle of a section
; = 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 03 00 00 00 00 00 00 04

SECTION "a", ROM0
	db 1
	ALIGN 3, 1
	db 2
SECTION "b", ROM0[$21]
	ALIGN 4, 1
	db 3
	ds 6
	ALIGN 3
	db 4
