; about: errors that the source itself makes
; error: 7: Assertion failed
; error: 8: Assertion failed: not equal
; error: 9: Assertion failed: static
; error: 10: the end

	assert 0
	assert fail, 1 == 2, "not equal"
	static_assert 0, "static"
	fail "the end"
	println "never"
