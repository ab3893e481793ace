; about: .incbin of a missing file and beyond the end of a file
; error: 7: cannot open
; error: 8: range error
; error: 9: range error
; error: 10

.incbin "missing.bin"
.incbin "data.bin", 13
.incbin "data.bin", 8, 5
.incbin data
