; SPDX-License-Identifier: MIT
; The costs of a suit: the fewest tiles that are missing to every number of
; melds, without and with the pair.
INCLUDE "riichi/riichi.inc"

SECTION "riichi suit", ROM0

;; suit_costs – the costs of suit A.
; in:       A hand[34] melded[34] melds
; requires: A <= 3, sound_hand
; out:      suits[40]   (10 bytes of suit A; the others stay)
; clobbers: callees
; stack:    18
; cycles:   267..33549      (267: the automaton; honours 403..850)
suit_costs::
  cp HONOUR_SUIT
  jp nc, honour_costs
  ld b, a
  add a, a
  ld c, a
  add a, a
  add a, a
  ld e, a               ; 8 * suit
  add c
  add LOW(suits)
  ld c, a               ; + 10 * suit
  ld a, e
  add b
  add LOW(hand)
  ld e, a               ; + 9 * suit
  ld d, HIGH(hand)
  ld a, [melds]
  and a
  jr z, .nothing_melded
    ld h, d
    ld a, e
    add melded - hand
    ld l, a
    xor a
    REPT NUMBERS
      or [hl]
      inc l
    ENDR
    and a
    jp nz, .slow
.nothing_melded
  ; tiles of the suit
  ld h, d
  ld l, e
  xor a
  REPT NUMBERS
    add [hl]
    inc l
  ENDR
.tiles_counted
  cp AUTOMATON_MOST + 1
  jp nc, .slow
  ld b, e               ; for the slow way
  ld hl, automaton_root
  FOR N, NUMBERS
.number_{d:N}
    ld a, [de]
    inc e
    add a, a
    bit 3, a            ; four of them
    jp nz, .four
    or l
    ld l, a
    ld a, [hl+]
    ld h, [hl]
    ld l, a
  ENDR
.costs
  REPT COSTS
    ld a, [hl+]
    ldh [c], a
    inc c
  ENDR
  ret
.four
  ld e, b
.slow
  jp target_from        ; DE = the hand's tiles, C = the costs' place
ASSERT HIGH(suits) == $FF, "the costs must lie where ldh reaches"

;; honour_costs – the costs of the honours: they have no runs, so that every kind is for itself.
; in:       hand[34] melded[34]
; requires: sound_tiles, at_most(14)
; out:      suits[40]   (the last 10 bytes; the others stay)
; clobbers: A BC DE HL F
; stack:    6
; cycles:   397..844        (a hand of 14 tiles at most)
honour_costs::
  ld bc, 0              ; B: kinds held three times or more, C: twice
  ld d, b               ; D: once
  ld hl, hand + HONOUR_KIND
.kind
    ld a, [hl]
    cp 1
    jr c, .counted
    jr nz, .more
      ; A melded honour has one tile left at most, which makes no block.
      ld e, l
      ld a, l
      add melded - hand
      ld l, a
      ld a, [hl]
      ld l, e
      and a
      jr nz, .counted
        inc d
        jr .counted
.more
    cp 3
    jr nc, .three
      inc c
      jr .counted
.three
      inc b
.counted
    inc l
    ld a, l
    cp LOW(hand + KINDS)
    jr nz, .kind
.all
  ld hl, suits + HONOUR_SUIT * COSTS
  ld a, FAR
  REPT COSTS
    ld [hl+], a
  ENDR
  xor a
  ld l, LOW(suits + HONOUR_SUIT * COSTS)
  call honour_blocks
.pair
  ; The pair out of a kind held twice is the best one there is.  Without such a
  ; kind all others have to be tried.
  ld a, c
  and a
  jr z, .no_pair
    dec c
    xor a
    jr .with_pair
.no_pair
  ld a, b
  and a
  jr z, .no_triplet
    dec b
    xor a
    call .with_pair
    inc b
.no_triplet
  ld a, d
  and a
  jr z, .nothing_held
    dec d
    ld a, 1
    call .with_pair
    inc d
.nothing_held
  ld a, 2
.with_pair
  ld l, LOW(suits + HONOUR_SUIT * COSTS + WITH_PAIR)
ASSERT @ == honour_blocks, "with_pair goes on into honour_blocks"
; Costs of 0..4 triplets beside something that costs A, at HL: the kinds of which
; most is held go first.  What is cheaper already stays.  Registers stay but A and HL.
honour_blocks:
  push bc
  push de
  ld e, MELDS + 1
.block
    cp [hl]
    jr nc, .known
      ld [hl], a
.known
    inc l
    dec e
    jr z, .done
    inc b
    dec b
    jr z, .twos
      dec b             ; three are held
      jr .block
.twos
    inc c
    dec c
    jr z, .ones
      dec c
      inc a
      jr .block
.ones
    inc d
    dec d
    jr z, .nothing
      dec d
      add 2
      jr .block
.nothing
    add 3
    jr .block
.done
  pop de
  pop bc
  ret
