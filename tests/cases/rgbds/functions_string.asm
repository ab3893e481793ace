; about: functions on strings
; = 61 62 63 41 C3 A9 31 61 62 63 78 79 65 6C 6C 6C 6F C3 A9 62 41 4E 41 4E 61 62 63 05 06 62 01 03
; = FF 03 2D 33 20 66 66 20 30 30 30 34 32 20 61 62 20 20 7C 24 31 30 20 31 2E 35 30 30 30 30 20 32
; = 2E 32 35 61

SECTION "a", ROM0
	db STRCAT("a", "b", "c"), STRCAT(), STRUPR("aé1"), STRLWR("ABC"), "x" ++ "y"
	db STRSLICE("hello", 1, 3), STRSLICE("hello", -3), STRSLICE("héllo", 1, 2)
	db STRRPL("banana", "an", "AN"), STRCHAR("abc", 1), STRCHAR("abc", -1)
	db STRLEN("héllo"), BYTELEN("héllo"), STRBYTE("abc", 1), STRFIND("banana", "an")
	db STRRFIND("banana", "an"), STRFIND("a", "x"), CHARLEN("abc")
	db STRFMT("%d %x %05d %-4s|%#X %f %.2f", -3, 255, 42, "ab", 16, 1.5, 2.25)
	db SECTION(@)
