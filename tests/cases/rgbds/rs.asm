; about: offsets with RS
; = 00 02 08 0C 0D 0D 28 2A

SECTION "a", ROM0
	RSRESET
DEF x RB 2
DEF y RW 3
DEF fz RL
DEF w RB
DEF size RB 0
	db x, y, fz, w, size, _RS
	RSSET 40
DEF q RW
	db q, _RS
