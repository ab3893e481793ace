; about: a constructor must be defined
; error: 4

.constructor nowhere
        nop
