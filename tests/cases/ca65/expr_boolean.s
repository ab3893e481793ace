; about: boolean operators in both spellings
; = 01 00 01 00 00 01 01 01 00 01 00 01 01 01 01 01 00 00 01

.byte 1&&2, 1&&0, 0||5, 0||0, !5, !0
.byte 1 .and 1, 1 .or 0, 1 .xor 1, 1 .xor 0, .not 1, .not 0
.byte 1=1 && 2=2, 0 && 1 || 1, 1 || 1 && 0, !0 && 0, (!0) && 0
.byte 2 .xor 3, 5 .and 2 .or 0
