; about: parts of INCBIN that are not there, and a missing file
; error: 7: Specified start position (7) is greater than length of "data.bin" (6)
; error: 8: Specified range in `INCBIN` file "data.bin" is out of bounds (3 + 9 > 6)
; error: 9: Error opening `INCBIN` file "nothing.bin": No such file or directory

SECTION "a", ROM0
	INCBIN "data.bin", 7
	INCBIN "data.bin", 3, 9
	INCBIN "nothing.bin"
	db 1
