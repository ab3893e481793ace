"""Tokens of the ca65 dialect and the words that are keywords."""

from __future__ import annotations

from typing import Final

from romproof.text.span import Source

# Kinds of tokens that carry a value; every other kind is its own text.
IDENT: Final = "identifier"
LOCAL: Final = "local identifier"
INT: Final = "number"
CHAR: Final = "character"
STRING: Final = "string"
ULABEL: Final = "unnamed label"  # value: +n for the nth ahead, -n for the nth back
REGISTER: Final = "register"  # value: its number, of Sweet16
UNKNOWN: Final = "unknown command"
PARAM: Final = "macro parameter"  # value: its position; only inside stored macro bodies
EOL: Final = "end of line"
EOF: Final = "end of file"

REGISTERS: Final = frozenset("AXY")
"""Words that are no names."""
REGISTERS_65816: Final = frozenset("AXYS")
"""On the 65816 the stack pointer is one of them."""
REGISTERS_65CE02: Final = frozenset(("A", "X", "Y", "Z", "S", "SP"))
"""The 65CE02's and the 4510's; ``SP`` is another word for ``S``."""
REGISTERS_45GS02: Final = REGISTERS_65CE02 | {"Q"}
"""On the 45GS02 ``Q`` is A, X, Y and Z at once."""
REGISTERS_SWEET16: Final = frozenset((*"AXY", *(f"R{number}" for number in range(16))))
"""Those of Sweet16, where ``@`` is an operator."""
OVERRIDES: Final = frozenset({"z:", "a:", "f:"})


class Token:
    """One token. ``space``: whether white space precedes it.

    ``value`` is an int for numbers, a str for names; for strings each
    character of the str denotes one byte.
    """

    __slots__ = ("col", "kind", "length", "line", "source", "space", "value")

    def __init__(
        self,
        kind: str,
        value: str | int,
        space: bool,
        source: Source,
        line: int,
        col: int,
        length: int,
    ) -> None:
        self.kind = kind
        self.value = value
        self.space = space
        self.source = source
        self.line = line
        self.col = col
        self.length = length

    def replace_meaning(self, kind: str, value: str | int) -> Token:
        """The same place in the source with another meaning."""
        return Token(kind, value, self.space, self.source, self.line, self.col, self.length)

    @property
    def text(self) -> str:
        """The value of a token that carries a str."""
        return str(self.value)

    @property
    def number(self) -> int:
        """The value of a token that carries an int."""
        return int(self.value)

    @property
    def ends_line(self) -> bool:
        """True at the end of a line or file."""
        return self.kind in (EOL, EOF)


def as_bytes(text: str) -> bytes:
    """The bytes a string token denotes."""
    return text.encode("latin-1")


def as_text(text: str) -> str:
    """A string token's value for people: its bytes read as UTF-8."""
    return as_bytes(text).decode("utf-8", "replace")


ALIASES: Final = {
    ".byt": ".byte",
    ".def": ".defined",
    ".delmac": ".delmacro",
    ".endmac": ".endmacro",
    ".endrep": ".endrepeat",
    ".exitmac": ".exitmacro",
    ".fopt": ".fileopt",
    ".ismnem": ".ismnemonic",
    ".mac": ".macro",
    ".pagelen": ".pagelength",
    ".ref": ".referenced",
    ".undef": ".undefine",
    ".and": "&&",
    ".or": "||",
    ".not": "!",
    ".bitand": "&",
    ".bitor": "|",
    ".bitxor": "^",
    ".bitnot": "~",
    ".shl": "<<",
    ".shr": ">>",
}
"""Second spellings; the value is the kind of the token."""

_CONDITIONALS: Final = frozenset(
    {
        ".if",
        ".else",
        ".elseif",
        ".endif",
        ".ifblank",
        ".ifconst",
        ".ifdef",
        ".ifnblank",
        ".ifnconst",
        ".ifndef",
        ".ifnref",
        ".ifp02",
        ".ifp4510",
        ".ifp816",
        ".ifpc02",
        ".ifpsc02",
        ".ifref",
    }
)

LATER_CONDITIONALS: Final = frozenset(
    {
        ".ifp02x",
        ".ifp45gs02",
        ".ifp6280",
        ".ifpce02",
        ".ifpdtv",
        ".ifpm740",
        ".ifpsweet16",
        ".ifpwc02",
    }
)
"""Those that 2.19 does not know."""
CONDITIONALS: Final = _CONDITIONALS | LATER_CONDITIONALS

TOKEN_FUNCTIONS: Final = frozenset(
    {".concat", ".ident", ".left", ".mid", ".right", ".sprintf", ".string"}
)
"""Functions that give tokens, not numbers; they work anywhere in a line."""

FUNCTIONS: Final = frozenset(
    {
        ".addrsize",
        ".asize",
        ".bank",
        ".bankbyte",
        ".blank",
        ".const",
        ".cpu",
        ".defined",
        ".definedmacro",
        ".hibyte",
        ".hiword",
        ".isize",
        ".ismnemonic",
        ".lobyte",
        ".loword",
        ".match",
        ".max",
        ".min",
        ".referenced",
        ".sizeof",
        ".strat",
        ".strlen",
        ".tcount",
        ".time",
        ".version",
        ".xmatch",
    }
)

OPERATORS: Final = frozenset({".mod", ".xor", ".set"})

INNER_WORDS: Final = frozenset(
    {
        ".endenum",
        ".endmacro",
        ".endrepeat",
        ".endstruct",
        ".endunion",
        ".forceword",
        ".local",
        ".paramcount",
    }
)
"""Words that mean something only inside the construct they belong to."""

COMMANDS: Final = frozenset(
    {
        ".a16",
        ".a8",
        ".addr",
        ".align",
        ".asciiz",
        ".assert",
        ".autoimport",
        ".bankbytes",
        ".bss",
        ".byte",
        ".case",
        ".charmap",
        ".code",
        ".condes",
        ".constructor",
        ".data",
        ".dbg",
        ".dbyt",
        ".debuginfo",
        ".define",
        ".delmacro",
        ".destructor",
        ".dword",
        ".end",
        ".endproc",
        ".endscope",
        ".enum",
        ".error",
        ".exitmacro",
        ".export",
        ".exportzp",
        ".faraddr",
        ".fatal",
        ".feature",
        ".fileopt",
        ".forceimport",
        ".global",
        ".globalzp",
        ".hibytes",
        ".i16",
        ".i8",
        ".import",
        ".importzp",
        ".incbin",
        ".include",
        ".interruptor",
        ".linecont",
        ".list",
        ".listbytes",
        ".lobytes",
        ".localchar",
        ".macpack",
        ".macro",
        ".null",
        ".org",
        ".out",
        ".p02",
        ".p4510",
        ".p816",
        ".pagelength",
        ".pc02",
        ".popcpu",
        ".popseg",
        ".proc",
        ".psc02",
        ".pushcpu",
        ".pushseg",
        ".reloc",
        ".repeat",
        ".res",
        ".rodata",
        ".scope",
        ".segment",
        ".setcpu",
        ".smart",
        ".struct",
        ".tag",
        ".undefine",
        ".union",
        ".warning",
        ".word",
        ".zeropage",
    }
)
"""Control commands a statement may start with (besides the conditionals)."""

KEYWORDS: Final = (
    COMMANDS | _CONDITIONALS | TOKEN_FUNCTIONS | FUNCTIONS | OPERATORS | INNER_WORDS | set(ALIASES)
)
