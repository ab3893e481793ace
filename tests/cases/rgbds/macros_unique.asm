; about: labels made unique by \@
; = 3D 20 FD 3D 20 FD 06 00 08 00

SECTION "a", ROM0
MACRO wait
.wait\@
	dec a
	jr nz, .wait\@
ENDM
start:
	wait
	wait
	REPT 2
.x\@:	dw .x\@
	ENDR
