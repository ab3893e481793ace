; about: LOAD outside of sections, in RAM, and ENDL alone
; args: -Wextra
; error: 9: Cannot output data outside of a `SECTION`
; error: 10: Found `ENDL` outside of a `LOAD` block
; error: 12: `LOAD` blocks cannot create a ROM section
; error: 13: Found `ENDL` outside of a `LOAD` block
; warning: 15: `LOAD` block without `ENDL` terminated by EOF [-Wunterminated-load]

LOAD "x", WRAM0
ENDL
SECTION "a", ROM0
LOAD "y", ROM0
ENDL
LOAD "z", WRAM0
