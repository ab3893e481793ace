; about: constructors and destructors in a table by priority, the feature CONDES in the configuration
; config: condes.cfg
; = A9 05 0B 80 EA EA EA EA EA EA EA 08 80 06 80 04 80 05 80 07 80

.constructor init1
.constructor init2, 10
.constructor init3, 5
.destructor done1
.interruptor irq1, 3
.condes init4, constructor, 20
.condes init5, 0, 1
.import __CONS__, __NUM__
.segment "CODE"
        lda #<__NUM__
        .addr __CONS__
init1:  nop
init2:  nop
init3:  nop
init4:  nop
init5:  nop
done1:  nop
irq1:   nop
