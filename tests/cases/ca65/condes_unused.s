; about: a table that is never used is not made
; config: condes_order.cfg
; = EA
; warning: link: does not exist

.constructor c1
c1:     nop
