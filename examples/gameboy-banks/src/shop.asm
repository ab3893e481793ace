SECTION "Shop", ROMX, BANK[1]

;; price – the price of an item.
; in:       A
; requires: A <= 3
; out:      A
; ensures:  A <= 99
; clobbers: HL F
; stack:    0
; cycles:   9
price::
  ld h, HIGH(prices)
  ld l, a
  ld a, [hl]
  ret

SECTION "Prices", ROMX, BANK[1], ALIGN[8]
prices:: db 10, 25, 50, 99
ASSERT LOW(prices) == 0
