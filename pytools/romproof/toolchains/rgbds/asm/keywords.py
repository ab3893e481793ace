"""The words of the language. They are known in any mixture of upper and lower case."""

from __future__ import annotations

from romproof.isa.encodings import encodings_of
from romproof.toolchains.rgbds.obj.types import SectionType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MNEMONICS = frozenset(name.upper() for name in encodings_of("sm83")) | {"LDI", "LDD"}
"""Instructions; LDI and LDD are other names of LD."""

REGISTERS = _words("A B C D E H L AF BC DE HL SP")
CONDITIONS = _words("NZ Z NC")
"""The fourth condition, C, is a register as well."""
MOVING_POINTERS = {"HLI": "hl+", "HLD": "hl-"}
"""HL with the change that follows its use."""

SECTION_TYPES = frozenset(kind.name for kind in SectionType)

STRING_FUNCTIONS = _words(
    "READFILE STRCAT STRCHAR STRFMT STRLWR STRRPL STRSLICE STRSUB STRUPR CHARSUB REVCHAR"
)
"""Functions whose result is a string. SECTION(symbol) is one too, but a directive as well."""
NUMBER_FUNCTIONS = _words(
    """DEF BANK SIZEOF STARTOF ROUND CEIL FLOOR DIV MUL FMOD POW LOG SIN COS TAN ASIN ACOS ATAN
    ATAN2 HIGH LOW ISCONST BITWIDTH TZCOUNT BYTELEN STRBYTE STRCMP STRFIND STRIN STRLEN STRRFIND
    STRRIN CHARCMP CHARLEN CHARSIZE CHARVAL INCHARMAP"""
)

DIRECTIVES = _words(
    """FRAGMENT ALIGN INCLUDE PRINT PRINTLN EXPORT DS DB DW DL SECTION ENDSECTION PURGE RSRESET
    RSSET INCBIN CHARMAP NEWCHARMAP SETCHARMAP PUSHC POPC FAIL WARN FATAL ASSERT STATIC_ASSERT
    MACRO ENDM SHIFT REPT FOR ENDR BREAK LOAD ENDL IF ELSE ELIF ENDC UNION NEXTU ENDU RB RW EQU
    EQUS REDEF PUSHS POPS PUSHO POPO OPT"""
)

KEYWORDS = (
    MNEMONICS
    | REGISTERS
    | CONDITIONS
    | frozenset(MOVING_POINTERS)
    | SECTION_TYPES
    | STRING_FUNCTIONS
    | NUMBER_FUNCTIONS
    | DIRECTIVES
)

LEADING = _words("ENDM REPT FOR ENDR IF ELSE ELIF ENDC")
"""Words at the start of a line that end, or nest in, what is skipped or captured."""
