; about: other digits of binary and graphics numbers, from the command line and OPT
; args: -b .X -g .oOX
; = 03 03 33 0F 33 0F 33 0F 05

SECTION "a", ROM0
	db %..XX, %0011
	dw `..ooOOXX, `00112233
	OPT b01, g0123
	dw `00112233
	db %0101
