; about: what the 65816 and the 65C02 have no instruction or no room for
; args: --cpu 65816
; error: 22: illegal addressing mode
; error: 23: illegal addressing mode
; error: 24: range error
; error: 25: constant too large
; error: 26: illegal addressing mode
; error: 27: illegal addressing mode
; error: 28: range error
; error: 29: illegal addressing mode
; error: 30
; error: 33: illegal addressing mode
; error: 34: illegal addressing mode
; error: 35: illegal addressing mode
; error: 36
; error: 37: only valid in 65816
; warning: 40: cannot track processor status
; error: 42: illegal addressing
; error: 43: address size

distant = $123456
        ldx distant
        sta #1
        lda #$1234
        lda distant,y
        cop $1234
        jmp [$12],y
        lda $1234,s
        pei $12
        bbr0 $12, *
        lda #1
        .pc02
        lda $123456
        lda [$12]
        lda f:$1234
        mvn #1, #2
        .a16
        .p816
        .smart
        rep #<later
        .p02
        jsr distant
.proc far_away : far
.endproc
later:
