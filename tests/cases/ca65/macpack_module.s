; about: .macpack module: a driver's header is a label unless DYN_DRV is set
; = 01 02
DYN_DRV = 0
.macpack module
module_header driver
.code
.byte 1, 2
