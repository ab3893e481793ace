"""The SM83 program that the tests of the harness call into. Cycles are M-cycles."""

PROGRAM = """\
SECTION "high", HRAM
lfsr:: ds 4
SECTION "work", WRAM0
deck:: ds 3
sum:: ds 1
SECTION "code", ROM0[$0150]

;; add_five – add 5 to A.
; in:       A
; out:      A
; clobbers: F
; stack:    0
; cycles:   6
add_five::
    add a, 5                ;= C6 05
    ret                     ;= C9

;; rotate – rotate the register one bit to the left.
; in:       hram lfsr[4]
; out:      lfsr[4], CF (the bit that came out)
; clobbers: HL, ZF NF HF
; stack:    0
; cycles:   26
rotate::
    ld hl, lfsr             ;= 21 {lfsr}
    sla [hl]                ;= CB 26
    inc l                   ;= 2C
    rl [hl]                 ;= CB 16
    inc l                   ;= 2C
    rl [hl]                 ;= CB 16
    inc l                   ;= 2C
    rl [hl]                 ;= CB 16
    ret                     ;= C9

;; outer – add five, and five more if that set the carry.
; in:       A
; out:      A
; clobbers: F
; stack:    2
; cycles:   21..30
outer::
    call add_five           ;= CD {add_five}
    call c, add_five        ;= DC {add_five}
    nop                     ;= 00
    nop                     ;= 00
    ret                     ;= C9

;; liar – claims to keep everything.
; in:       none
; out:      none
; clobbers: none
; stack:    0
; cycles:   5
liar::
    push af                 ;= F5
    xor a, a                ;= AF
    ld [sum], a             ;= EA {sum}
    pop bc                  ;= C1
    scf                     ;= 37
    ret                     ;= C9

; calls a liar, when its condition holds
trusting::
    call nc, liar           ;= D4 {liar}
    ret                     ;= C9

forever::
    ld b, 3                 ;= 06 03
.loop:
    dec b                   ;= 05
    jr .loop                ;= 18 {-.loop}

deeper::
    call forever            ;= CD {forever}
    ret                     ;= C9

crash::
    call broken             ;= CD {broken}
    ret                     ;= C9
broken:
    db $D3                  ;= D3

to_rom::
    ld a, 1                 ;= 3E 01
    ld [add_five], a        ;= EA {add_five}
    ret                     ;= C9

away::
    jp $4000                ;= C3 00 40

restart::
    rst $38                 ;= FF

sleep::
    halt                    ;= 76
    ret                     ;= C9

rest::
    stop                    ;= 10 00
    ret                     ;= C9

recurse::
    call recurse            ;= CD {recurse}
    ret                     ;= C9

pull::
    pop hl                  ;= E1
    pop hl                  ;= E1
    ret                     ;= C9

twice::
    push hl                 ;= E5
    ret                     ;= C9

;; words – the first word in deck, pulled with the stack pointer.
; in:       deck[3]
; out:      BC (the first word)
; clobbers: DE, HL, F
; stack:    2
words::
    push af                 ;= F5
    ld hl, sp + 0           ;= F8 00
    ld d, h                 ;= 54
    ld e, l                 ;= 5D
    ld sp, deck             ;= 31 {deck}
    pop bc                  ;= C1
    ld h, d                 ;= 62
    ld l, e                 ;= 6B
    ld sp, hl               ;= F9
    pop af                  ;= F1
    ret                     ;= C9

reset::
    ld sp, $D000            ;= 31 00 D0
    xor a, a                ;= AF
    ld [sum], a             ;= EA {sum}
.again:
    call bump               ;= CD {bump}
    cp a, 10                ;= FE 0A
    jr nz, .again           ;= 20 {-.again}
done::
    jr done                 ;= 18 {-done}

bump::
    ld hl, sum              ;= 21 {sum}
    inc [hl]                ;= 34
    ld a, [hl]              ;= 7E
    ret                     ;= C9
"""
