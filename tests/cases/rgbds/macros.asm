; about: arguments of macros
; = 03 01 02 03 00 04 61 2C 62 0B 07 64 6E 6E 14 78 01 01 02 03 37

SECTION "a", ROM0
MACRO add_all
	db _NARG
	REPT _NARG
		db \1
		SHIFT
	ENDR
ENDM
	add_all 1, 2, 3
	add_all
MACRO all
	db \#
ENDM
	all 4, "a,b", (5 + 6) , 7
MACRO ten
	db \<10>, \<-1>, \<_NARG>, \<\1>
ENDM
	ten 2, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110
MACRO esc
	db \1
ENDM
	esc "x"\, 1
	esc 1 ; comment
	esc 2 /* comment */
	esc \
		3
DEF five EQU 5
MACRO named
	db \<five>
ENDM
	named 1, 2, 3, 4, 55
