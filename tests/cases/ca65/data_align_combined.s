; about: alignments that are not powers of two are combined to their least common multiple
; config: aligned.cfg
; = 01 00 00 00 00 00 02 00 03
; warning: link: isn't aligned

.data
.byte 1
.align 6
.byte 2
.align 4
.byte 3
