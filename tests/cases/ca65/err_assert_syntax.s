; about: wrong assertions
; error: 8
; error: 9
; error: 10
; error: 11
; original: 12

.assert 1, fail, "text"
.assert 1, error, 5
.assert 1 error
.assert

        nop
