; about: symbols that are forgotten
; args: -Wall
; error: 13: Undefined symbol `y`
; error: 16: Symbol `lab` is referenced and thus cannot be purged
; warning: 18: Purging a label `other` [-Wpurge]
; error: 19: Built-in symbol `@` cannot be purged

SECTION "a", ROM0
DEF x EQU 1
	PURGE x
DEF x EQUS "db 5"
	x
	PURGE x, y
lab:
	dw lab
	PURGE lab
other:
	PURGE other
	PURGE @
