; SPDX-License-Identifier: MIT
; The shuffle.
.include "tarot.inc"

.if TAROT_VARIANT = TAROT_SMALL
  .include "small/shuffle.inc"
.elseif TAROT_VARIANT = TAROT_BALANCED
  .include "balanced/shuffle.inc"
.else
  .include "fast/shuffle.inc"
.endif
