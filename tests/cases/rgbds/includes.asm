; about: INCLUDE over the include path, and messages from inside
; args: -I inc
; warning: inc/values.inc:2: Expression must be 8-bit; use `LOW()` to force 8-bit [-Wtruncation]
; error: inc/values.inc:3
; error: 10: Error opening `INCLUDE` file "missing.inc": No such file or directory

SECTION "a", ROM0
	INCLUDE "values.inc"
	db included
	INCLUDE "missing.inc"
	db 1
