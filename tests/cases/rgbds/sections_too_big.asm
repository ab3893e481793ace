; about: a section that does not fit its memory
; error: 10: Section "h" grew too big (max size = 0x7F bytes, reached 0xC8)

SECTION "h", HRAM
	ds 100
	ds 100
x:
SECTION "i", HRAM
	ds 1
