; about: data outside of sections and in RAM
; error: 8: Cannot output data outside of a `SECTION`
; error: 10: Section "r" cannot contain code or data (not `ROM0` or `ROMX`)
; error: 11: Section "r" cannot contain code or data (not `ROM0` or `ROMX`)
; error: 12: Section "r" cannot contain code or data (not `ROM0` or `ROMX`)
; error: 13: Section "r" cannot contain code or data (not `ROM0` or `ROMX`)

	db 1
SECTION "r", WRAM0
	db 1
	nop
	ds 1, 2
	incbin "data.bin"
