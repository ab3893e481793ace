; SPDX-License-Identifier: MIT
; The riichi hand analysis as one program, for an emulator: a host puts a hand
; into memory and calls shanten, ukeire, best_discard, complete, call_options
; or own_kans.
.include "riichi/riichi.inc"

.segment "CODE"

; Nothing is done by itself.
.proc reset
  jmp reset
.endproc

.proc interrupt
  rti
.endproc

.segment "VECTORS"
  .addr interrupt, reset, interrupt
