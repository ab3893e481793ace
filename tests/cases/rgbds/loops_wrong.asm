; about: loops that go nowhere
; args: -Wall
; error: 9: `FOR` cannot have a step value of 0
; warning: 11: `FOR` goes backwards from 1 to 5 by -1 [-Wbackwards-for]
; error: 12: `BREAK` can only be used inside a loop (`REPT`/`FOR` block)
; error: 13: Constant must not be negative: -1

	FOR n, 1, 5, 0
	ENDR
	FOR n, 1, 5, -1
	ENDR
	BREAK
	REPT -1
	ENDR
