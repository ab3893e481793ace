; about: lderror waits for the linker even with a constant
; error: 5: waited

        nop
.assert 0, lderror, "waited"
