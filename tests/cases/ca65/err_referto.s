; about: .refto, .referto and other commands of later versions are unknown
; error: 8: not a recognized
; error: 9: not a recognized
; error: 10: not a recognized
; error: 11: not a recognized

.import ext
.referto ext
.refto ext
.literal "a"
.hex "00"
