; about: without the feature .addrsize is unknown
; error: 5: not a recognized

label:
.byte .addrsize(label)
