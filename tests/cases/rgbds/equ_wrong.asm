; about: symbols that exist already, or are not what they should be
; out: $0
; out: 
; error: 14: `a1` already defined
; error: 15: `a1` already defined as constant
; error: 16: `a1` already defined as non-`EQUS`
; error: 19: `s` already defined (should it be {interpolated} to define its contents "s1"?)
; error: 20: `_RS` already defined as built-in
; error: 21: `@` is reserved for a built-in symbol
; error: 22: Expected constant expression: undefined symbol `nope`
; error: 23: Interpolated symbol `nope` does not exist

DEF a1 EQU 1
DEF a1 EQU 2
DEF a1 = 3
REDEF a1 EQUS "x"
DEF s EQUS "s1"
DEF {s} EQU 1
DEF s EQU 2
DEF _RS EQU 3
DEF @ EQU 4
	println nope
	println {nope}
