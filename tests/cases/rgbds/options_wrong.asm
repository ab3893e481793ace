; about: options that are not there
; error: 11: Unknown option 'x'
; error: 12: Argument for option 'p' must be between 0 and 0xFF
; error: 13: Argument for option 'Q' must be between 1 and 31
; error: 14: Must specify exactly 2 characters for option 'b'
; error: 15: Repeated digit for binary constant '0'
; error: 16: Must specify exactly 4 characters for option 'g'
; error: 17: No entries in the option stack
; error: 18

	OPT x
	OPT p$100
	OPT Q0
	OPT b0
	OPT b00
	OPT ghello
	POPO
	OPT
