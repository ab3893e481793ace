; about: .fatal stops at once
; error: 5: stop

        nop
.fatal "stop"
.error "never reached"
