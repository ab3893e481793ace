; about: braces keep commas and leading tokens together, one pair is removed
; = 01 02 03 04 05 06 01 A9 05 9D 34 12 E8 07 08 03

.macro bytes list
        .byte list
.endmacro
.macro pass list
        bytes {list}
        .byte .paramcount
.endmacro
.macro instruction text
        text
.endmacro
        bytes {1, 2, 3}
        pass {4, 5, 6}
        instruction {lda #5}
        instruction {sta $1234, x}
        instruction inx
        instruction {.byte 7, 8}
        bytes {.strlen("a,b")}
