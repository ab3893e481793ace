; about: sections with addresses, alignment and fragments, and the section stack
; = 08 09 02 04 07 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00
; = 01

SECTION "a", ROM0[$20]
	db 1
SECTION "b", ROM0, ALIGN[4, 2]
	db 2
PUSHS
SECTION "c", ROM0[$10]
	db 3
POPS
	db 4
PUSHS "d", ROM0[$18]
	db 6
POPS
	db 7
SECTION FRAGMENT "f", ROM0
	db 8
SECTION FRAGMENT "f", ROM0
	db 9
ENDSECTION
