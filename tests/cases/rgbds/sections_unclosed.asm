; about: what is left open at the end
; args: -Wextra
; error: 12: `UNION`s must be inside a `SECTION`
; warning: 13: `PUSHC` without corresponding `POPC` [-Wunmatched-directive]
; warning: 13: `PUSHO` without corresponding `POPO` [-Wunmatched-directive]
; warning: 13: `PUSHS` without corresponding `POPS` [-Wunmatched-directive]

SECTION "h", HRAM
	pushs
	pushc
	pusho
	UNION
