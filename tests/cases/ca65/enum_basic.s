; about: .enum counts from 0 or from a given value, also with a scope of its own
; = 00 01 05 06 00 0A 0B 09 0A

.enum
        ZERO
        ONE
        FIVE = 5
        SIX
.endenum
.enum colour
        RED
        GREEN = 10
        BLUE
        BACK = GREEN - 1
        NEXT
.endenum
        .byte ZERO, ONE, FIVE, SIX
        .byte colour::RED, colour::GREEN, colour::BLUE, colour::BACK, colour::NEXT
