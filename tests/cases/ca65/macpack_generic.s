; about: .macpack generic
; = 18 69 01 38 E5 12 18 7D 34 12 38 F1 12 B0 F1 90 EF F0 02 B0 EB F0 E9 90
; = E7 D0 E5 F0 E3

.macpack generic
back:   add #1
        sub $12
        add $1234, x
        sub ($12), y
        bge back
        blt back
        bgt back
        ble back
        bnz back
        bze back
