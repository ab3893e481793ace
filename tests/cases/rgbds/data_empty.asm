; about: data directives without operands reserve space
; args: -Wall -p 0xAA
; = AA AA AA AA AA AA AA AA AA 04 C0
; warning: 9: `DB` directive without data in ROM [-Wempty-data-directive]
; warning: 10: `DW` directive without data in ROM [-Wempty-data-directive]
; warning: 11: `DL` directive without data in ROM [-Wempty-data-directive]

SECTION "a", ROM0
	db
	dw
	dl
	ds 2
SECTION "r", WRAM0
	db
	ds 3
w::
SECTION "b", ROM0
	dw w
