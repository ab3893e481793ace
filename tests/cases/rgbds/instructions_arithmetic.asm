; about: arithmetic, logic, shifts and bits
; = 80 81 C6 05 86 CE 01 92 D6 03 9B A4 E6 F0 AD B6 FE 07 B8 09 39 E8 FD 3C 35 03 3B 07 0F 17 1F 27
; = 2F 2F 37 3F CB 00 CB 0E CB 11 CB 1A CB 23 CB 2C CB 3D CB 37 CB 47 CB 7E CB 98 CB E9

SECTION "a", ROM0
	add a, b :: add c :: add 5 :: add a, [hl] :: adc 1 :: sub d :: sub a, 3 :: sbc a, e
	and h :: and a, $F0 :: xor l :: or [hl] :: cp a, 7 :: cp b
	add hl, bc :: add hl, sp :: add sp, -3
	inc a :: dec [hl] :: inc bc :: dec sp
	rlca :: rrca :: rla :: rra :: daa :: cpl :: cpl a :: scf :: ccf
	rlc b :: rrc [hl] :: rl c :: rr d :: sla e :: sra h :: srl l :: swap a
	bit 0, a :: bit 7, [hl] :: res 3, b :: set 5, c
