; about: braces around what is not there
; out: 
; out: 
; out: 
; out: 
; out: ok
; error: 13: Interpolated symbol `nothing` does not exist
; error: 14: Invalid interpolation format spec "q"
; error: 15: Interpolated symbol `db` is a reserved keyword; add a '#' prefix to use it as a raw symbol
; error: 16: Unterminated interpolation
; error: 16: Unterminated string

	println "{nothing}"
	println "{q:x}"
	println "{db}"
	println "{
	println "ok"
