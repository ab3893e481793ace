; about: OPT and the stack of options
; args: -p 0x55 -Q 8
; = 55 00 01 00 00 AA 00 10 00 00 55 00 01 00 00

SECTION "a", ROM0
	ds 1
	dl 1.0
	PUSHO
	OPT p$AA, Q12
	ds 1
	dl 1.0
	POPO
	ds 1
	dl 1.0
