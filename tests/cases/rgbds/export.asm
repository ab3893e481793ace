; about: exported symbols, defined and not
; args: -Wall
; = 04
; warning: 8: Exporting an undefined symbol `later` [-Wexport-undefined]
; warning: 8: Exporting an undefined symbol `nope` [-Wexport-undefined]

SECTION "a", ROM0
EXPORT later, nope
EXPORT DEF x EQU 4
later:
	db x
