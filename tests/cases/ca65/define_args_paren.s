; about: arguments of .define in calls with more text behind them
; = 34 61 62

.define lo(p) (p & $FF)
.define cat(p1, p2) .concat(p1, p2)
        .byte lo $1234
        .byte cat "a", "b"
