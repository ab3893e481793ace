; about: an imported address does not fit a byte, whatever its value is
; also: ext.part.s
; error: 9: range error

.import ext
.importzp extzp
.byte extzp
.byte <ext
.byte ext
