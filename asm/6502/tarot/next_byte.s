; SPDX-License-Identifier: MIT
; The random generator.
.include "tarot.inc"

.if TAROT_VARIANT = TAROT_SMALL
  .include "small/next_byte.inc"
.else
  .include "balanced/next_byte.inc"
.endif
