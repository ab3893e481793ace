; about: operands that the linker works out
; = 3E 30 E0 90 18 08 CB 69 FF 21 33 12 E8 05

SECTION "a", ROM0
	ld a, LOW(late)
	ldh [hvar], a
	jr after
	bit value, c
	rst vector
	ld hl, late + 3
	add sp, value
after:
SECTION "b", ROM0[$1230]
late:
SECTION "h", HRAM[$FF90]
hvar:
SECTION "v", ROM0[$38]
vector:
SECTION "n", ROM0[5]
value:
