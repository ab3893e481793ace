; about: code that is assembled for RAM
; = 18 FE 00 C2 04 C2 06 00 06 C2 01 02

SECTION "rom", ROM0
code:
LOAD "ram", WRAM0[$C200]
start:
	jr start
	dw start, @
.end
ENDL
after:
	dw after, start.end
LOAD UNION "u", WRAM0
	db 1
LOAD FRAGMENT "f", WRAM0
	db 2
ENDL
