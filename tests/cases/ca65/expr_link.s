; about: expressions that only the linker can evaluate follow the same rules, but literals come back with 32 bits and a sign
; also: link_values.part.s
; = 02 00 08 00 01 00 00 00 00 00 01 00 00 00 21 43 65 FF FE FC FC 04 FF 00
; = 00 01 00 01 00 00 00 00 00 01 00 F9 FF 00 00 FF FF 00 00 00 00 00 80 00
; = 00 00 10 00 01 00 00 76 08 00 00 CA 0E 00 00 01 00 05 00 21 43 65 87 00
; = 00 01 00 01 00
; warning: link: address size mismatch

.import one, minus, big
.word one+1, one<<3, one=1, one<>1, one&&0, one||0, !one
.byte <big, >big, ^big, <-one, <~one, <(minus/2), <(minus>>1), <(minus .mod 5), >(minus>>1)
.word minus<0, minus>0, (minus>>1)>0, minus=-7, big<0, big>0
.dword .loword(minus), .hiword(minus), one<<31, (one<<32)>>4, one<<8, .hiword(big>>4), .hiword(big*2)
.word .min(one, 5), .max(one, 5), .loword(big), .hiword(big), one .xor one
.word one*$80000000 < 0, one*$FFFFFFFF = -1
