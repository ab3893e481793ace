; about: imports and exports in scopes
; also: import_scope.part.s
; = 20 07 80 60 20 07 80 4C 03 80

.proc p
.import inner_ext
        jsr inner_ext
.export exported
exported: rts
.endproc
        jsr p::inner_ext
