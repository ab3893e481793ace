; about: constants, variables and strings
; = 01 29 09 04 04 05 0E 37 29 1D 01 00 01

SECTION "a", ROM0
DEF one EQU 1
DEF two = one + 1
DEF two += 5
DEF two *= 3
DEF two <<= 1
DEF two ^= 3
	db one, two
REDEF one EQU 9
	db one
DEF text EQUS "db 4"
	text
REDEF text EQUS "{text}, 5"
	text
DEF value EQUS "7"
	db value + value, "{value}"
	db {d:two}, {x:two}
	db DEF(one), DEF(nope), DEF(text)
