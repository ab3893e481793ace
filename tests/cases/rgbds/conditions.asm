; about: IF, ELIF, ELSE, ENDC
; = 03 06 08

SECTION "a", ROM0
	IF 0
		db 1
		IF 1
			db 2
		ENDC
	ELIF 1
		db 3
	ELIF 1 / 0
		db 4
	ELSE
		db 5
	ENDC
	IF 1
		db 6
	ELSE
		db 7
	ENDC
	if def(nope)
		anything goes here {
	else
		db 8
	endc
