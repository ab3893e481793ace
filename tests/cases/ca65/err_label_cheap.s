; about: cheap locals are not known behind the next label, and need one before them
; error: 5: no preceeding
; error: 12: already defined

@early: nop
first:
@in:    nop
second:
        jmp @in
        jmp @nowhere
@in:    nop
@in:    nop
