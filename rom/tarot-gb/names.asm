; SPDX-License-Identifier: MIT
; The names of the cards.

SECTION "names", ROM0

MACRO names
  REPT _NARG
    db \1, 0
    SHIFT
  ENDR
ENDM

major_names::
  names "THE FOOL", "THE MAGICIAN", "THE HIGH PRIESTESS", "THE EMPRESS"
  names "THE EMPEROR", "THE HIEROPHANT", "THE LOVERS", "THE CHARIOT", "STRENGTH"
  names "THE HERMIT", "WHEEL OF FORTUNE", "JUSTICE", "THE HANGED MAN", "DEATH"
  names "TEMPERANCE", "THE DEVIL", "THE TOWER", "THE STAR", "THE MOON", "THE SUN"
  names "JUDGEMENT", "THE WORLD"
rank_names::
  names "ACE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"
  names "TEN", "PAGE", "KNIGHT", "QUEEN", "KING"
suit_names::
  names "WANDS", "CUPS", "SWORDS", "PENTACLES"
