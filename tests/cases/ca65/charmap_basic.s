; about: .charmap changes strings, characters and .strat but not numbers
; = 01 02 43 01 41 02 01 00 A9 01 C9 02 01 03 01

.charmap 'A', $01
.charmap $42, $02
.byte "ABC", 'A', 65
.asciiz "BA"
        lda #'A'
        cmp #'A'+1
.byte .strat("ABC", 0), .strlen("ABC")
.charmap 'A', 'A'
.byte "A"
