; about: .macpack apple2: scrcode sets the high bit
; = C8 C9 A0 8D C1
.macpack apple2
scrcode "HI", $20, $0D, 'A'
