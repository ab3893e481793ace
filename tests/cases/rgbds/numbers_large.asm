; about: numbers with too many digits
; = 00 00 00 00 00 00 00 00 55 33 00 00 00 00 00 00 9B 1F 01 00
; warning: 10: Integer constant is too large [-Wlarge-constant]
; warning: 10: Integer constant is too large [-Wlarge-constant]
; warning: 10: Graphics constant has too many digits; only first 8 pixels considered [-Wlarge-constant]
; warning: 11: Magnitude of fixed-point constant is too large [-Wlarge-constant]
; warning: 12: Fixed-point constant has too many fractional digits [-Wlarge-constant]

SECTION "a", ROM0
	dl 4294967296, $123456789, `012301230
	dl 99999.0
	dl 1.123456789012345
