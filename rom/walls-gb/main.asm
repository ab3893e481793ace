; SPDX-License-Identifier: MIT
; The library of mahjong walls as one program, for an emulator: a host puts the
; key or the seeds into memory and calls tenhou_round or mj_deal.
INCLUDE "mt19937/mt19937.inc"

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @           ; the header

SECTION "walls key", WRAM0
walls_key:: ds MT_BYTES ; the longest key there is

SECTION "main", ROM0

; Nothing is done by itself.
reset:
  di
.stop
  jr .stop
