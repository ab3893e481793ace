; about: .incbin includes a file, or a part of it given by offset and size
; = 10 11 12 13 14 15 16 17 FF 00 0A 0D FF 00 0A 0D 12 13 14

.incbin "data.bin"
.incbin "data.bin", 8
.incbin "data.bin", 2, 3
.incbin "data.bin", 12
.incbin "data.bin", 4, 0
