; about: sections that contradict what was said before, and wrong attributes
; error: 11: Section "b"'s fixed address $4000 is outside of range [$c000; $dfff]
; error: 12: `BANK` only allowed for `ROMX`, `WRAMX`, `SRAM`, or `VRAM` sections
; error: 13: ROMX bank value $0000 out of range ($0001 to $ffff)
; error: 14: Section "e"'s fixed address does not match its alignment
; error: 15: Cannot declare ROM sections as `UNION`
; error: 16: Alignment must be between 0 and 16, not 17
; error: 18: Cannot output data outside of a `SECTION`
; error: 19: No entries in the section stack

SECTION "b", WRAM0[$4000]
SECTION "c", ROM0, BANK[1]
SECTION "d", ROMX, BANK[0]
SECTION "e", ROM0[$11], ALIGN[4]
SECTION UNION "f", ROM0
SECTION "g", WRAM0, ALIGN[17]
	ENDSECTION
	db 1
	POPS
	db 2
