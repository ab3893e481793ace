; about: declarations of one symbol with different sizes do not match
; warning: 13
; error: 8: address size mismatch
; error: 10: address size mismatch
; error: 12: address size mismatch

.import ext
.importzp ext
.global both
.globalzp both
.export out1
.exportzp out1
out1:   nop
