; about: exports must be defined, imports must not
; error: 8: already an import
; error: 9: already an import
; error: 11: already defined

.export missing
.import ext
ext:    nop
.export ext
label:  nop
.import label
