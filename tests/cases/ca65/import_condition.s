; about: an import is no constant, but its parts are bytes
; also: ext.part.s
; = 05 00 06 0A 05 00 04 00 0F 00 00 05 A9 05 A9 00

.import ext
        .byte <ext, >ext, <(ext + 1), <(ext * 2)
        .word ext, ext - 1
        .addr ext * 3
        .dbyt ext
        lda #<ext
        lda #>ext
