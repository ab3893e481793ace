; about: indexes out of range, and functions that are deprecated
; args: -Wall
; = 7C 62 63 7C 61 62 00 61 62 63 65 6C 6C 62 02 04 62 63 42
; warning: 19: STRSLICE: Start index 5 is past the end of the string [-Wbuiltin-args]
; warning: 19: STRSLICE: Stop index 9 is past the end of the string [-Wbuiltin-args]
; warning: 19: STRSLICE: Index starts at 0 [-Wbuiltin-args]
; warning: 20: STRCHAR: Index 7 is past the end of the string [-Wbuiltin-args]
; warning: 20: STRBYTE: Index 3 is past the end of the string [-Wbuiltin-args]
; warning: 20: STRRPL: Cannot replace an empty string [-Wempty-strrpl]
; warning: 21: `STRSUB` is deprecated; use 0-indexed `STRSLICE` instead [-Wobsolete]
; warning: 21: `CHARSUB` is deprecated; use 0-indexed `STRCHAR` instead [-Wobsolete]
; warning: 21: `STRIN` is deprecated; use 0-indexed `STRFIND` instead [-Wobsolete]
; warning: 21: `STRRIN` is deprecated; use 0-indexed `STRRFIND` instead [-Wobsolete]
; warning: 22: `STRSUB` is deprecated; use 0-indexed `STRSLICE` instead [-Wobsolete]
; warning: 22: STRSUB: Length too big: 9 [-Wbuiltin-args]
; warning: 23: Treating strings as numbers is deprecated; use character literals or `CHARVAL` instead [-Wobsolete]

SECTION "a", ROM0
	db STRSLICE("abc", 5), "|", STRSLICE("abc", 1, 9), "|", STRSLICE("abc", -7, 2)
	db STRCHAR("abc", 7), STRBYTE("abc", 3), STRRPL("abc", "", "x")
	db STRSUB("hello", 2, 3), CHARSUB("abc", 2), STRIN("abc", "b"), STRRIN("abab", "b")
	db STRSUB("abc", 2, 9)
	db "A" + 1
