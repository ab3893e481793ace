; about: .macpack longbranch uses a short branch only for near targets that are already known
; = EA F0 FD D0 FB 90 F9 B0 F7 30 F5 10 F3 70 F1 50 EF D0 03 4C 94 80 F0 03
; = 4C 1B 80 EA 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00 00 00 EA D0 03 4C 00 80 B0 03 4C 00 80 50 03 4C 00 80 F0 03 4C 00
; = 80 90 03 4C 00 80 10 03 4C 00 80 30 03 4C 00 80 70 03 4C 00 80

.macpack longbranch
near:   nop
        jeq near
        jne near
        jcc near
        jcs near
        jmi near
        jpl near
        jvs near
        jvc near
        jeq forward
        jne near2
near2:  nop
        .res 120
forward: nop
        jeq near
        jcc near
        jvs near
        jne near
        jcs near
        jmi near
        jpl near
        jvc near
