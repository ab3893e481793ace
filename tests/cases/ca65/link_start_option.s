; about: %S in the configuration is the start address of the option -S
; config: link_start.cfg
; link: -S $3000
; = 4C 00 30

label:  jmp label
