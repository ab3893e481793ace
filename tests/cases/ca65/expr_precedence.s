; about: multiplication, shifts and bit operators & and ^ bind alike and from the left, + - | bind alike
; = 0E 14 05 05 02 11 18 09 02 07 0A 04 08 0C 0C 07 07 0C 08 07 00

.byte 2+3*4, (2+3)*4, 10-2-3, 100/10/2, 17 .mod 5
.byte 1+2<<3, (1+2)<<3, 16>>1+1, 3&1+1, 1|2+4
.byte 7^2*2, 6*2&4, 6&2*4, 1<<2*3, 12/2<<1, 3|4&6, 1+2|4
.byte 5-1|8, 8|1-5+4, 2*3^1, 255^15&7
