; about: STRFMT with wrong specs and counts
; out: %
; out: 1
; out: %y
; out: 100%
; out: 1a
; error: 14: STRFMT: Not enough arguments for format spec (expected 1, got 0)
; error: 15: STRFMT: 1 unformatted argument
; error: 16: STRFMT: Invalid format spec for argument 1
; error: 17: STRFMT: Illegal '%' at end of format string
; error: 18: Formatting number as type 's'
; error: 18: Formatting string as type 'd'

	println STRFMT("%d")
	println STRFMT("%d", 1, 2)
	println STRFMT("%y", 1)
	println STRFMT("100%")
	println STRFMT("%s", 1), STRFMT("%d", "a")
