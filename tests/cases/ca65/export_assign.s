; about: .export with a value, := makes a label
; also: export_assign.part.s
; = A5 02 AD 34 12 A5 02 AD 34 12 AD 35 12 A5 04

.export one = 1 + 1, two := $1234
.export three
.exportzp four = 4
three = two + 1
        lda one
        lda two
