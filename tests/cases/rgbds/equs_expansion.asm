; about: strings of several lines and with directives
; = 01 02 2A 09 01 02

SECTION "a", ROM0
DEF both EQUS "db 1\ndb 2"
	both
DEF reg EQUS "[hl+]"
	ld a, reg
DEF cond EQUS "IF 1\ndb 9\nENDC"
	cond
DEF nested EQUS "both"
	nested
