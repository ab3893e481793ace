; SPDX-License-Identifier: MIT
; The random generator.
INCLUDE "tarot/tarot.inc"

IF TAROT_VARIANT == TAROT_SMALL
  INCLUDE "tarot/small/next_byte.inc"
ELIF TAROT_VARIANT == TAROT_BALANCED
  INCLUDE "tarot/balanced/next_byte.inc"
ELSE
  INCLUDE "tarot/fast/next_byte.inc"
ENDC
