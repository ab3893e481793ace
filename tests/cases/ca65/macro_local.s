; about: .local makes new labels for every expansion
; = A2 01 CA D0 FD F0 01 EA A2 02 CA D0 FD F0 01 EA 4C 10 80

.macro wait count
        .local loop, done
        ldx #count
loop:   dex
        bne loop
        beq done
        nop
done:
.endmacro
        wait 1
        wait 2
loop:   jmp loop
