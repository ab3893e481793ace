; about: an alignment that an address contradicts
; error: 7: Section is misaligned (at PC = $0021, expected ALIGN[4, 0], got ALIGN[4, 1])
; error: 8: Alignment must be between 0 and 16, not 20
; error: 9: The absolute alignment offset (9) must be less than alignment size (8)

SECTION "b", ROM0[$21]
	ALIGN 4
	ALIGN 20
	ALIGN 3, 9
