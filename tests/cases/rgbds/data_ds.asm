; about: DS with fills, expressions in fills, and ALIGN
; = 00 00 00 01 02 01 02 01 08 08 08 08 11 11 11 11 07 00 08 01 01

SECTION "a", ROM0[0]
	ds 3
	ds 5, 1, 2
	ds 0
	ds 4, @
	ds ALIGN[4], $11
	db 7
	ds ALIGN[3, 2]
	db 8
	ds 2, 1,
