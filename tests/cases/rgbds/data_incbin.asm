; about: INCBIN, whole and parts
; = 01 02 03 04 05 06 03 04 05 06 02 03 04

SECTION "a", ROM0
	INCBIN "data.bin"
	INCBIN "data.bin", 2
	INCBIN "data.bin", 1, 3
	INCBIN "data.bin", 6
