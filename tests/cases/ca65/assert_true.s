; about: assertions that hold say nothing
; also: ext.part.s
; = EA

.import ext
label:  nop
.assert 1 = 1, error, "one"
.assert label <> 0, error
.assert ext = 5, lderror, "five"
.assert later = 7, warning, "seven"
.assert label = $8000, ldwarning, "start"
later = 7
