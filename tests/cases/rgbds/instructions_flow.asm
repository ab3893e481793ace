; about: jumps, calls and the rest
; = C3 00 00 C2 00 00 E9 18 F7 38 F5 30 12 CD 00 00 CC 00 00 C9 C0 D9 DF C7 CA 00 00 D4 00 00 C8 F5
; = C1 00 76 F3 FB 10 00 10 05

SECTION "a", ROM0[0]
here:
	jp here :: jp nz, here :: jp hl :: jr here :: jr c, here :: jr nc, there
	call here :: call z, here :: ret :: ret nz :: reti :: rst $18 :: rst 0
	jp !nz, here :: call !c, here :: ret !!z
there:
	push af :: pop bc :: nop :: halt :: di :: ei :: stop :: stop 5
