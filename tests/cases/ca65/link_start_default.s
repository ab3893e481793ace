; about: without -S the start address is $200
; config: link_start.cfg
; = 4C 00 09

label:  jmp label
