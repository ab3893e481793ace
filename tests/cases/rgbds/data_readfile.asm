; about: READFILE as a string
; = 01 02 03 04 05 06 01 02
; out: $6

SECTION "a", ROM0
	db READFILE("data.bin"), READFILE("data.bin", 2)
	println BYTELEN(READFILE("data.bin"))
