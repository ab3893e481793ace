; about: .dword with the largest values
; = FF FF FF FF FF FF FF FF FF FF FF FF FE FF FF FF

.dword $FFFFFFFF, 4294967295, -1 & $FFFFFFFF, -2 .bitand $FFFFFFFF
