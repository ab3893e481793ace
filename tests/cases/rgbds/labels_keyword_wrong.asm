; about: a local label behind a keyword
; error: 5: Identifier "ld.x" begins with a keyword; did you mean to put a space between them?

SECTION "a", ROM0
ld.x: db 1
