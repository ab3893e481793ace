; about: DB, DW and DL with numbers, strings and trailing commas
; = 01 FF FF 80 41 41 42 34 12 FE FF 41 00 42 00 41 00 78 56 34 12 FD FF FF FF 41 00 00 00 C3 A9 61
; = 0A 09 00 5C 22 7B C3 FF A9 FF
; warning: 8: Treating strings as numbers is deprecated; use character literals or `CHARVAL` instead [-Wobsolete]

SECTION "a", ROM0
	db 1, $FF, -1, -128, 'A', "AB", "",
	dw $1234, -2, "AB", ("A"),
	dl $12345678, -3, "A"
	db "é", "a\n\t\0\\\"\{"
	dw "é"
