; about: an ENDC without IF
; out: x
; error: 6: Found `ENDC` outside of a conditional (not after an `IF`/`ELIF`/`ELSE` block)

	println "x"
	ENDC
