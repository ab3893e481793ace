; SPDX-License-Identifier: MIT
; The shuffle.
INCLUDE "tarot/tarot.inc"

IF TAROT_VARIANT == TAROT_SMALL
  INCLUDE "tarot/small/shuffle.inc"
ELIF TAROT_VARIANT == TAROT_BALANCED
  INCLUDE "tarot/balanced/shuffle.inc"
ELSE
  INCLUDE "tarot/fast/shuffle.inc"
ENDC
