; about: .ismnemonic and .definedmacro look up instructions and macros
; = 01 00 00 01 00 00

.macro mac
.endmacro
.byte .ismnemonic(lda), .ismnem(mac), .ismnemonic(foo), .definedmacro(mac), .definedmacro(lda), .definedmacro(foo)
