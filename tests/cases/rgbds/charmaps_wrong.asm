; about: character maps that do not exist or exist twice, and unmapped characters
; args: -Wall
; error: 17: Charmap `main` is already defined
; error: 18: Undefined charmap `nothing`
; error: 19: Undefined base charmap `nothing`
; error: 20: No entries in the charmap stack
; error: 21: Cannot map an empty string
; warning: 22: Unmapped character 'a' not in `main` charmap [-Wunmapped-char]
; warning: 22: Unmapped character 'b' not in `main` charmap [-Wunmapped-char]
; error: 22: Character literals must be a single charmap unit
; error: 23: CHARVAL: No character mapping for "q"
; error: 23: CHARSIZE: No character mapping for "q"
; warning: 25: Overriding charmap mapping [-Wcharmap-redef]
; warning: 26: Unmapped character 'z' [-Wunmapped-char]

SECTION "a", ROM0
	newcharmap main
	setcharmap nothing
	newcharmap x, nothing
	popc
	charmap "", 1
	db 'ab'
	db CHARVAL("q"), CHARSIZE("q")
	charmap "q", 1
	charmap "q", 2
	db "z"
