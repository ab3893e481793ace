; about: .lobytes, .hibytes and .bankbytes of a list
; = 56 09 03 34 80 02 12 00 01 08 05

.define table $123456, label, $010203
.lobytes table
.hibytes table
.bankbytes table
label:
.lobytes label-1, 5
