; about: warnings switched on, off and to errors within the source
; warning: 9: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; error: 13: Expression must be 8-bit; use `LOW()` to force 8-bit [-Werror=truncation]

SECTION "a", ROM0
	OPT Wno-truncation
	db 256
	PUSHO Wtruncation
	db 257
	POPO
	db 258
	OPT Werror=truncation
	db 259
