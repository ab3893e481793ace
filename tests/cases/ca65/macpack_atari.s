; about: .macpack atari with the macro scrcode
; = 28 65 6C 6C 6F 00 11 12 13 61 62 63 21

.macpack atari
        scrcode "Hello 123"
        scrcode "ab", 'c'
        scrcode 65
