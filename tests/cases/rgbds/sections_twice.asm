; about: two sections of one name
; error: 6: Section "a" already defined

SECTION "a", ROM0
	db 1
SECTION "a", ROM0
	db 2
