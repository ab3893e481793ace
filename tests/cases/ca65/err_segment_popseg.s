; about: .popseg without .pushseg
; error: 6: segment stack is empty

.code
        nop
.popseg
        nop
