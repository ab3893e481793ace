; about: a string that stands for itself
; args: -r 10
; error: 6: Recursion limit (10) exceeded

DEF loop EQUS "loop"
	loop
