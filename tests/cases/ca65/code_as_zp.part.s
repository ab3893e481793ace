.export wrong
        .res 5
wrong:  nop
