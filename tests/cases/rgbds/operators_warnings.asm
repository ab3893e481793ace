; about: shifts and divisions that warn
; args: -Weverything
; = 00 00 00 00 00 00 00 00 FF FF FF FF 00 00 00 00 02 00 00 00 FE FF FF FF 00 00 00 80 00 00 00 00
; warning: 13: Shifting left by negative amount -1 [-Wshift-amount]
; warning: 13: Shifting left by large amount 32 [-Wshift-amount]
; warning: 13: Shifting right negative value -1 [-Wshift]
; warning: 13: Shifting right by large amount 40 [-Wshift-amount]
; warning: 13: Shifting right by negative amount -1 [-Wshift-amount]
; warning: 14: Division of -2147483648 by -1 yields -2147483648 [-Wdiv]
; warning: 14: Modulo of -2147483648 by -1 yields 0 [-Wdiv]

SECTION "a", ROM0
	dl 1 << -1, 1 << 32, -1 >> 1, 1 >> 40, 1 >>> -1, -1 << 1
	dl $80000000 / -1, $80000000 % -1
