; about: shifts by a large or negative count
; = 01 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
; = 00 00

.dword 1<<0, (1<<63)>>63, 1<<64, 1<<65, 8>>64, (-8>>64) & $FFFFFFFF
.byte (16<<-1)&$FF, (16>>-1)&$FF
