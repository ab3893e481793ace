; about: .align counts from the begin of the segment, also behind .org
; config: aligned.cfg
; = EA D0 FD 00 05 10 00 00

.org $1001
start:  nop
        bne start
.align 4
        .addr *
