; about: character maps: longest match, several values, copies and the stack
; = 01 02 62 01 00 10 00 00 20 03 02 02 10 00 FF 01 01 02 10 00 61 62 02 09 62 09 01
; warning: 12: Unmapped character 'b' [-Wunmapped-char]
; warning: 14: Unmapped character 'b' [-Wunmapped-char]
; warning: 16: All character units must be 8-bit [-Wtruncation]
; warning: 24: Unmapped character 'b' [-Wunmapped-char]

SECTION "a", ROM0
	charmap "a", 1
	charmap "ab", 2
	charmap "<end>", $10, $2000
	db "aabb"
	dw "a<end>"
	db CHARLEN("aabb"), CHARSIZE("<end>"), CHARVAL("ab"), CHARVAL("<end>", 0), INCHARMAP("b")
	db CHARCMP("a", "ab"), CHARCMP("ab", "a"), 'a'
	db REVCHAR(2), REVCHAR($10, $2000)
	pushc
	newcharmap other
	db "ab"
	newcharmap third, main
	charmap "b", 9
	db "abb"
	popc
	db "b"
	setcharmap third
	db "b"
	pushc main
	db "a"
	popc
