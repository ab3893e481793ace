; about: a section that is continued as another type of memory
; error: 5: Section "f" already exists but with type `ROM0`

SECTION FRAGMENT "f", ROM0
SECTION FRAGMENT "f", ROMX
