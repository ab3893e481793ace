; about: wrong options
; error: 10
; error: 11: range error
; error: 12: range error
; error: 13
; error: 14
; error: 15
; error: 16: range error

.list maybe
.listbytes -1
.listbytes 256
.debuginfo 5
.fileopt wrong, "text"
.fileopt author
.pagelength 1
