"""The words of the language. They are known in any mixture of upper and lower case."""

from __future__ import annotations

from romproof.isa.codec import encodings

MNEMONICS = frozenset(name.upper() for name in encodings("sm83")) | {"LDI", "LDD"}
"""Instructions; LDI and LDD are other names of LD."""

REGISTERS = frozenset("A B C D E H L AF BC DE HL SP".split())
CONDITIONS = frozenset("NZ Z NC".split())
"""The fourth condition, C, is a register as well."""
MOVING_POINTERS = {"HLI": "hl+", "HLD": "hl-"}
"""HL with the change that follows its use."""

SECTION_TYPES = frozenset("WRAM0 VRAM ROMX ROM0 HRAM WRAMX SRAM OAM".split())

STRING_FUNCTIONS = frozenset(
    "READFILE STRCAT STRCHAR STRFMT STRLWR STRRPL STRSLICE STRSUB STRUPR CHARSUB REVCHAR".split()
)
"""Functions whose result is a string. SECTION(symbol) is one too, but SECTION has a line's start."""
NUMBER_FUNCTIONS = frozenset(
    """DEF BANK SIZEOF STARTOF ROUND CEIL FLOOR DIV MUL FMOD POW LOG SIN COS TAN ASIN ACOS ATAN
    ATAN2 HIGH LOW ISCONST BITWIDTH TZCOUNT BYTELEN STRBYTE STRCMP STRFIND STRIN STRLEN STRRFIND
    STRRIN CHARCMP CHARLEN CHARSIZE CHARVAL INCHARMAP""".split()
)

DIRECTIVES = frozenset(
    """FRAGMENT ALIGN INCLUDE PRINT PRINTLN EXPORT DS DB DW DL SECTION ENDSECTION PURGE RSRESET
    RSSET INCBIN CHARMAP NEWCHARMAP SETCHARMAP PUSHC POPC FAIL WARN FATAL ASSERT STATIC_ASSERT
    MACRO ENDM SHIFT REPT FOR ENDR BREAK LOAD ENDL IF ELSE ELIF ENDC UNION NEXTU ENDU RB RW EQU
    EQUS REDEF PUSHS POPS PUSHO POPO OPT""".split()
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

LEADING = frozenset("ENDM REPT FOR ENDR IF ELSE ELIF ENDC".split())
"""Words at the start of a line that end, or nest in, what is skipped or captured."""
