; about: .match compares the kinds of tokens, .xmatch also their values
; = 01 00 01 01 01 00 01 01 01 00 01 01 00 00 01 00 00 00 01 00 01 01 01 01
; = 00 00 01 01 01 00 01 01 00 00 00 01 00

.macro show a1, a2
.byte .match({a1}, {a2}), .xmatch({a1}, {a2})
.endmacro
        show 1, 2
        show 1, 1
        show one, two
        show one, one
        show {1+2}, {3+4}
        show {1+2}, {1+2}
        show {1+2}, {1-2}
        show "a", "b"
        show 'a', 5
        show lda, ldx
        show {lda #1}, {lda #1}
        show a, A
        show x, y
        show , 
        show one, ONE
        show {(1)}, (1)
        show {.byte}, {.word}
.byte .match(a, x), .match(#, #), .match({#1}, #)
