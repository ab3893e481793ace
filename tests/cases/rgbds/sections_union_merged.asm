; about: unions whose constraints contradict each other
; error: 6: Section "v"'s fixed address does not match its alignment
; error: 6: Section "v" already declared as fixed at different address $c000

SECTION UNION "v", WRAM0[$C000]
SECTION UNION "v", WRAM0[$C001], ALIGN[2, 2]
