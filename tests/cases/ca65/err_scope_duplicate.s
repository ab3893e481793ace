; about: two scopes cannot have one name
; error: 7: duplicate scope
; error: 11: already defined

.scope s
.endscope
.scope s
.endscope
.proc p
.endproc
.proc p
.endproc
