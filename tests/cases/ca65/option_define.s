; about: -D defines symbols with and without a value
; args: -D FOO=3 -DBAR -D HEX=$1F
; = 03 00 1F 33

        .byte FOO, BAR, HEX
.if FOO = 3
        .byte $33
.endif
