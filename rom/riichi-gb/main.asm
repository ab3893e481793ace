; SPDX-License-Identifier: MIT
; The riichi hand analysis as one program, for an emulator: a host puts the hand
; into memory and calls shanten, ukeire, best_discard or the like.

SECTION "entry", ROM0[$100]
  nop
  jp reset
  ds $150 - @           ; the header

SECTION "main", ROM0

; Nothing is done by itself.
reset:
  di
.stop
  jr .stop
