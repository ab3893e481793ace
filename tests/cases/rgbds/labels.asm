; about: global, local, exported and anonymous labels
; = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 10 00 10 00 10 00 16 00 16 00 1A 00 1C 00 20 00
; = 1C 00 24 00 24 00 26 00

SECTION "a", ROM0[$10]
first:
.local
	dw first, .local, first.local
second::
.local:
	dw .local, second.local
second.more:
	dw .more
:	dw :-, :+
:	dw :--, :+
:	dw :-
	dw @
