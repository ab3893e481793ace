; about: .sprintf with its formats, flags, widths and precisions
; = 31 7C 2D 32 7C 20 20 20 20 33 7C 34 20 20 20 20 7C 30 30 30 30 35 7C 2B
; = 36 7C 20 37 66 66 7C 46 46 7C 20 20 66 66 7C 30 30 46 46 7C 30 78 66 66
; = 7C 31 30 7C 30 31 30 37 7C 41 7C 73 74 72 7C 73 74 72 20 20 20 7C 20 20
; = 20 73 74 72 7C 73 74 7C 25 30 30 35 7C 20 20 20 20 20 30 30 36 7C 78 79
; = 6E 6F 6E 65 03 2D 31 20 2D 31

.byte .sprintf("%d|%i|%5d|%-5d|%05d|%+d|% d", 1, -2, 3, 4, 5, 6, 7)
.byte .sprintf("%x|%X|%4x|%04X|%#x|%o|%#o", 255, 255, 255, 255, 255, 8, 8)
.byte .sprintf("%u|%c|%s|%6s|%-6s|%.2s|%%", 7, 'A', "str", "str", "str", "str")
.byte .sprintf("%.3d|%8.3d|%c%c", 5, 6, 'x', 'y')
.byte .sprintf("none"), .strlen(.sprintf("%3d", 1))
.byte .sprintf("%d %x", -1, -1)
