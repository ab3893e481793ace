; about: without the feature * = is an error
; error: 4

* = $2000
        nop
