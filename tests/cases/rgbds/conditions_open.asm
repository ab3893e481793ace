; about: an IF that is not closed
; out: x
; error: 7: Ended block with 1 unterminated conditional (`IF`/`ELIF`/`ELSE` block)

	IF 1
	println "x"
