; about: pieces of code and data in double brackets
; = 21 08 00 CD 0A 00 0D 00 78 00 3E 01 C9 0F 00 07

SECTION "a", ROM0
	ld hl, [[ db "x", 0 ]]
	call [[
		ld a, 1 :: ret
	]]
	dw [[ dw [[ db 7 ]] ]]
