; about: feature pc_assignment takes * = as .org
; = 4C 00 20 00 30

.feature pc_assignment
* = $2000
label:  jmp label
*=$3000
        .addr *
