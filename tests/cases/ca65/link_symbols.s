; about: symbols of the configuration: export, import, weak, with values and sizes
; config: link_symbols.cfg
; link: -D CMD=$77
; = 34 12 21 43 78 56 77 00 35 12 A5 12 60

.import LIMIT, weak1, CMD, CALC
.importzp SMALL
.export weak2 = $5678, needed
        .addr LIMIT, weak1, weak2, CMD, CALC
        lda SMALL
needed: rts
