; about: an operand that begins with a parenthesis is indirect, so the rest is in excess
; error: 8: illegal addressing mode
; error: 9: illegal addressing mode
; error: 10
; error: 11
; error: 12

        lda ($12)
        lda ($12)+1
        lda ($12), x
        lda ($12, y)
        lda ($12
