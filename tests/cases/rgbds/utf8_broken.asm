; about: strings that are not UTF-8
; = 03
; out: ok

SECTION "a", ROM0
	db STRLEN("aÿb")
	println "ok"
