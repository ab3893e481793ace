; about: an .enum without an end
; error: 5

.enum one
        A1
