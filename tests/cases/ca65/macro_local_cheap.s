; about: .local also works for cheap local names
; = CA D0 FD CA D0 FD 4C 06 80

.macro wait
        .local @loop
@loop:  dex
        bne @loop
.endmacro
start:  wait
        wait
@loop:  jmp @loop
