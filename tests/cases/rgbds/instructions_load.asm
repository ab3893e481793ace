; about: all forms of LD
; = 78 47 71 56 1E 12 36 05 01 34 12 11 01 00 21 02 00 31 03 00 F9 0A 12 2A 22 3A 32 2A 32 FA 34 12
; = EA 34 12 08 00 C0 F0 12 E0 80 F2 E2 F2 E2 F2 F8 05 F8 FB FA 44 FF 45

SECTION "a", ROM0
	ld a, b :: ld b, a :: ld [hl], c :: ld d, [hl] :: ld e, $12 :: ld [hl], 5
	ld bc, $1234 :: ld de, 1 :: ld hl, 2 :: ld sp, 3 :: ld sp, hl
	ld a, [bc] :: ld [de], a :: ld a, [hl+] :: ld [hli], a :: ld a, [hld] :: ld [hl-], a
	ldi a, [hl] :: ldd [hl], a
	ld a, [$1234] :: ld [$1234], a :: ld [$C000], sp
	ldh a, [$FF12] :: ldh [$FF80], a :: ldh a, [c] :: ldh [c], a
	ld a, [$FF00 + c] :: ld [$ff00+c], a :: ldh a, [$FF00+c]
	ld hl, sp + 5 :: ld hl, sp - 5 :: ld a, [$FF44]
	ld HIGH(bc), LOW(hl)
