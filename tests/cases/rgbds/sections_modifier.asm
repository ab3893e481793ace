; about: a union that becomes a fragment
; error: 5: Section "u" already declared as `SECTION UNION`

SECTION UNION "u", WRAM0
SECTION FRAGMENT "u", WRAM0
