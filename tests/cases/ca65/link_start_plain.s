; about: without STARTADDRESS the start address is $200
; config: link_start_plain.cfg
; = 4C 00 02

label:  jmp label
