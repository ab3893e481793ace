; about: braces in names, numbers and strings, nested and with formats
; = 00 00 00 00 33 33 30 30 30 30 30 30 31 31 6C 61 62 61 5C 22 62 0D

SECTION "a", ROM0
DEF n = 3
DEF name EQUS "lab"
{name}{d:n}:
	dw lab3
DEF pre EQUS "na"
	dw {{pre}me}3
	db "{d:n}{x:n}{08b:n}{name}"
DEF quoted EQUS "a\"b"
	db "{#s:quoted}"
	db 1{d:n}
