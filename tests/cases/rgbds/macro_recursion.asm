; about: a macro that calls itself without end
; args: -r 5
; error: 6: Recursion limit (5) exceeded

MACRO again
	again
ENDM
	again
