; about: macros that call macros and define macros by way of strings
; = 05 08 4D 03 02

SECTION "a", ROM0
MACRO inner
	db \1 * 2
ENDM
MACRO outer
	inner \1 + 1
	inner (\1 + 1)
DEF text EQUS "MACRO made\ndb 77\nENDM"
	text
	PURGE text
	made
ENDM
	outer 3
MACRO shifts
	shift 2
	db \1
	shift -1
	db \1
ENDM
	shifts 1, 2, 3
