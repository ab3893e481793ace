; about: instructions that do not exist and operands out of range
; error: 16: "LD [HL], [HL]" is not a valid instruction
; error: 17: "LD HL, BC" is not a valid instruction; use "LD H, B" and "LD L, C"
; error: 18: "LD BC, DE" is not a valid instruction; use "LD B, D" and "LD C, E"
; error: 19: "LD SP, BC" is not a valid instruction
; warning: 20: Expression must be 3-bit [-Wtruncation]
; error: 20: Invalid bit index 8 for `BIT`
; error: 21: Invalid address $5 for `RST`
; error: 22: Source address $1234 not between $FF00 to $FFFF
; warning: 24: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; error: 25
; error: 26
; warning: 27: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]

SECTION "a", ROM0
	ld [hl], [hl]
	ld hl, bc
	ld bc, de
	ld sp, bc
	bit 8, a
	rst 5
	ldh a, [$1234]
	jr $4000
	ld a, 256
	push sp
	inc af
	add sp, 300
