; SPDX-License-Identifier: MIT
; The 16 bytes in front of an .nes file: how emulators and flash cartridges know the board.

PRG_BANKS = 1           ; of 16 KiB
CHR_BANKS = 1           ; of 8 KiB
MAPPER    = 0           ; NROM
MIRRORING = 1           ; vertical; it does not matter, the second name table is not looked at

.segment "HEADER"
  .byte "NES", $1A, PRG_BANKS, CHR_BANKS
  .byte <(MAPPER << 4) | MIRRORING, MAPPER & $F0
  .byte 0, 0, 0, 0, 0, 0, 0, 0
