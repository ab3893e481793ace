; about: .dword takes values from 0 to $FFFFFFFF only
; error: 6: range error
; error: 7: range error
; error: 8: range error

.dword -1
.dword $FFFFFFFF+1
.dword 1<<32
.dword $FFFFFFFF
