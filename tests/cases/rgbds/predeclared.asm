; about: symbols that are there from the start
; args: -D FOO -D BAR=db_7
; = 01 01 64 62 5F 37 68 65 72 65 68 65 72 65 2E 6C 2E 2E 0C 01 00 01
; out: v1.0.3

SECTION "a", ROM0
	db __RGBDS_MAJOR__, FOO, "{BAR}"
here:
.l
	db "{.}", "{..}", "{__SCOPE__}"
	println "{__RGBDS_VERSION__}"
	db @ - here, DEF(@), DEF(_NARG), DEF(..)
