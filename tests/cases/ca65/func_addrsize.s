; about: .addrsize gives 1 for zero page, 2 for absolute and 3 for far, it needs the feature addrsize
; = EA 01 02 01 02 03 02 01

.feature addrsize
.zeropage
zp1:    .res 1
.code
label:  nop
small = 5
large = 500
huge = $12345
.byte .addrsize(zp1), .addrsize(label), .addrsize(small), .addrsize(large), .addrsize(huge)
.import ext
.importzp extzp
.byte .addrsize(ext), .addrsize(extzp)
