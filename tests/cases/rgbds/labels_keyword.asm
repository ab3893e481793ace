; about: names that are keywords, by way of #
; = 00 00 05 03 05

SECTION "a", ROM0
#load:
	dw #load
DEF #equ EQU 5
	db #equ
DEF #union EQUS "db 3"
	{#union}
	db {d:#equ}
