; about: REPT and FOR, nested and left by BREAK
; = 01 01 01 00 04 00 02 01 04 01 02 02 04 02 02 00 01 02 03 05

SECTION "a", ROM0
	REPT 3
		db 1
	ENDR
	FOR n, 3
		FOR m, 4, 0, -2
			db n, m
		ENDR
	ENDR
	FOR n, 10
		IF n == 3
			BREAK
		ENDC
		db n
	ENDR
	db n
	REPT 0
		db 99
	ENDR
	FOR n, 5, 1
	ENDR
	db n
