; about: .warning reports and goes on
; = EA EA
; warning: 6: look here

        nop
.warning "look here"
        nop
