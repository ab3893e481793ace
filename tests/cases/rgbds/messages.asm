; about: PRINT, PRINTLN, WARN, ASSERT
; args: -Wall
; =
; out: a$1 $5
; out: 
; out: x: $FF
; out: é
; warning: 16: careful [-Wuser]
; warning: 18: Assertion failed: soft [-Wassert]
; warning: link: later [-Wassert]

SECTION "a", ROM0
	print "a", 1, " ", 2 + 3, "\n"
	println
	println "x: ", $FF
	warn "careful"
	assert 1
	assert warn, 0, "soft"
	static_assert 1 == 1
x:
	assert x == 0
	assert warn, x == 1, "later"
	println STRFMT("%s", "é")
