; SPDX-License-Identifier: MIT
; The library of mahjong walls as one program, for an emulator: a host puts the
; key or the seeds into memory and calls tenhou_round or mj_deal.
.include "mt19937/mt19937.inc"
.export walls_key

.segment "BSS"
walls_key: .res MT_BYTES        ; the longest key there is

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
