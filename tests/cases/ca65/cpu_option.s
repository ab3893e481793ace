; about: the option --cpu
; args: --cpu 6502X
; = 07 12 B3 12

        slo $12
        lax ($12), y
