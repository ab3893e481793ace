; SPDX-License-Identifier: MIT
; The tiles: font, screens, cards, and the cards after half a turn.
SECTION "tiles", ROM0
tiles::
INCLUDE "tarot_tiles.inc"
