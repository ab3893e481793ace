; Multiplication and the square root, each proved for all inputs: romproof prove

SECTION "Arithmetic", ROM0

;; multiply – the product of two bytes.
; in:       A E
; out:      HL
; ensures:  HL == old A * old E
; clobbers: A B D F
; stack:    0
; cycles:   89..97          (M-cycles)
multiply::
  ld hl, 0
  ld d, h
  ld b, 8
.bit:
  add hl, hl                ; the highest bit first
  add a, a
  jr nc, .next
  add hl, de
.next:
  dec b
  jr nz, .bit
  ret

;; root – the largest number whose square is not above a byte.
; in:        A
; out:       B
; ensures:   B * B <= old A, old A < (B + 1) * (B + 1)
; clobbers:  A C F
; invariant: .step: A + B * B == old A, C == 2 * B + 1, B <= 15
; decreases: .step: A
; stack:     0
; cycles:    9..            (M-cycles)
root::
  ld bc, 1                  ; B: the root, C: the next odd number
.step:
  cp c                      ; squares are sums of odd numbers: 1, 1 + 3, 1 + 3 + 5
  ret c
  sub c
  inc c
  inc c
  inc b
  jr .step
