; about: members defined twice, unknown members and wrong lines of .enum
; error: 7: already defined
; error: 8

.enum one
        A1
        A1
        5
        B1 = later
.endenum
        .byte one::C1
