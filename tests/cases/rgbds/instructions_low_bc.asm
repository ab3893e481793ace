; about: LOW(bc) is c, as a pointer too; of a number LOW is a function
; = F2 E2 F2 F2 FA 0D 00 F2 FA 39 00

DEF n EQU 5
SECTION "a", ROM0
	ldh a, [LOW(bc)] :: ldh [low (BC)], a
	ldh a, [$FF00 + LOW(bc)] :: ldh a, [$ff00+low(n)*0+c]
	ld a, [low(n) * 2 + 3]
	ldh a, [$FF00 + low(bc)]
	ld a, [5 + low($1234)]
