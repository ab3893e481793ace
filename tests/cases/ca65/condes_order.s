; about: order = increasing and decreasing
; config: condes_order.cfg
; = 07 80 0D 80 EA EA EA 04 80 05 80 06 80 06 80 05 80 04 80

.import __CONS__, __DES__
.constructor c1, 1
.constructor c2, 2
.constructor c3, 3
.destructor d1, 1
.destructor d2, 2
.destructor d3, 3
        .addr __CONS__, __DES__
c1:
d1:     nop
c2:
d2:     nop
c3:
d3:     nop
