; about: labels in RAM, unions, and their addresses
; = 00 C1 04 C1 00 C1 01 C1 0B C1 F0 80 E0 80 01 00

SECTION "w", WRAM0[$C100]
	UNION
wA: ds 4
wB: dw
	NEXTU
wC: db
wD: ds 10
	ENDU
wEnd:
SECTION UNION "u", HRAM
hA: db
hB: dw
SECTION UNION "u", HRAM
hC: ds 7
SECTION "code", ROM0
	dw wA, wB, wC, wD, wEnd
	ldh a, [hA]
	ldh [hC], a
	dw hB - hA
