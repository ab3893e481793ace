; about: an assertion about an address is checked by the linker
; error: 6: label is too high

label:  nop
        nop
.assert label < $1000, error, "label is too high"
