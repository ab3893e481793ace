; about: .macpack cbm with the macro scrcode and its constants
; = 08 45 4C 4C 4F 2C 20 17 4F 52 4C 44 20 31 32 33 21 01 1A 20 41 5A 20 00
; = 1B 1D 41 42 01

.macpack cbm
        scrcode "Hello, World 123!"
        scrcode "AZ az @[]", "ab"
        scrcode 'A'
