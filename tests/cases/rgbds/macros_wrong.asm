; about: calls of macros that are not there, and arguments that are not given
; args: -Wextra
; out: 
; out: 
; out: 
; error: 18: Macro argument `\2` not defined
; warning: 19: here [-Wuser]
; error: 22: Undefined macro `nothing`
; error: 23: Cannot define label `lable` outside of a `SECTION`
; error: 24
; error: 25
; error: 26: `\1` cannot be used outside of a macro
; error: 27: Cannot shift macro arguments outside of a macro
; warning: 28: Empty macro argument [-Wempty-macro-arg]
; warning: 19: here [-Wuser]

MACRO m
	println "\2"
	warn "here"
ENDM
	m 1
	nothing 1
	lable: 
DEF c EQU 1
	c 5
	println "\1"
	shift
	m 1, , 3
