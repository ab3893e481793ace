; about: failing assertions with the action error are found at assembly time where possible
; error: 8: one is not two
; error: 9
; error: 10: later is five
; error: 11: distance

label:  nop
.assert 1 = 2, error, "one is not two"
.assert 0, error
.assert later = 4, error, "later is five"
.assert * - label = 2, error, "distance"
later = 5
