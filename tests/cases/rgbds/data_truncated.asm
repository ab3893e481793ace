; about: values that do not fit warn, and are cut
; args: -Wextra
; = 00 7F FF 00 FF 00 00 FF 7F 00 80 FF FF FF FF
; warning: 12: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; warning: 12: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; warning: 12: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; warning: 12: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; warning: 13: Expression must be 16-bit [-Wtruncation]
; warning: 13: Expression must be 16-bit [-Wtruncation]

SECTION "a", ROM0
	db 256, -129, 255, -256, -257
	dw $10000, -$8001, -$8000
	dl $FFFFFFFF
