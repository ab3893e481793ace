"""The releases of ca65 whose language is read: what each knows that the one before does not.

The table names what a source can write. What the same words mean otherwise follows from the
features and the properties here; nothing else asks which release it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

from romproof.toolchains.ca65.obj.cpus import CPUS, LATER_CPUS

_FEATURES_2_19: Final = frozenset(
    {
        "addrsize",
        "at_in_identifiers",
        "bracket_as_indirect",
        "c_comments",
        "dollar_in_identifiers",
        "dollar_is_pc",
        "force_range",
        "labels_without_colons",
        "leading_dot_in_identifiers",
        "loose_char_term",
        "loose_string_term",
        "missing_char_term",
        "org_per_seg",
        "pc_assignment",
        "string_escapes",
        "ubiquitous_idents",
        "underline_in_numbers",
    }
)


_CPU_BITS_2_19: Final = {
    "none": 1 << 0,
    "6502": 1 << 1,
    "6502X": 1 << 1 | 1 << 2,
    "65SC02": 1 << 1 | 1 << 3,
    "65C02": 1 << 1 | 1 << 3 | 1 << 4,
    "65816": 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5,
}

_SETS: Final = (
    "NONE",
    "6502",
    "6502X",
    "6502DTV",
    "65SC02",
    "65C02",
    "65816",
    "SWEET16",
    "HUC6280",
    "M740",
    "4510",
    "45GS02",
    "W65C02",
    "65CE02",
)
"""Instruction sets, in the order of their bits in ``.cpu``."""

_INCLUDED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "6502X": ("6502",),
        "6502DTV": ("6502",),
        "65SC02": ("6502",),
        "65C02": ("6502", "65SC02"),
        "65816": ("6502", "65SC02"),
        "HUC6280": ("6502", "65SC02", "65C02"),
        "M740": ("6502",),
        "4510": ("6502", "65C02", "65CE02"),
        "45GS02": ("6502", "65C02", "65CE02", "4510"),
        "W65C02": ("6502", "65SC02", "65C02"),
        "65CE02": ("6502", "65C02"),
    }
)
"""The sets that a CPU has besides its own."""


def _collect_cpu_bits() -> dict[str, int]:
    own = {name: 1 << bit for bit, name in enumerate(_SETS)}
    return {name: own[name] | sum(own[each] for each in _INCLUDED.get(name, ())) for name in _SETS}


def _collect_cpu_symbols() -> dict[str, int]:
    sets = {f"CPU_ISET_{name}": 1 << bit for bit, name in enumerate(_SETS)}
    return sets | {f"CPU_{name}": bits for name, bits in _collect_cpu_bits().items()}


class Change(Enum):
    """What the same source means otherwise, or what is an error no more, since 2.19."""

    SWITCHED_FEATURES = auto()
    """``.feature`` takes ``+``, ``-``, ``on`` and ``off``."""
    MARKED_UNNAMED = auto()
    """An unnamed label may be ``@:``, and named ``@+``, ``@-`` and ``:<``."""
    ADDRSIZE_IS_KNOWN = auto()
    """``.addrsize`` needs no feature."""
    NEAR_JUMPS = auto()
    """``jsr``, ``jmp`` and ``rts`` of the 65816 become long ones, where an address or scope is far,
    only with a feature."""
    WRAP_IS_ERROR = auto()
    """``jmp ($xxFF)`` of the NMOS 6502 is an error unless checks are relaxed; it was a warning."""
    SIGNATURES = auto()
    """``brk``, and ``cop`` of the 65816, take a byte, immediate or not, or none, on all CPUs."""
    FORWARD_SCOPES = auto()
    """A name may go through scopes that do not exist yet."""
    LINE_OF_ENDMACRO = auto()
    """``.endmacro`` ends a macro only where it is the first word of a line."""
    INCLUDES_AT_ONCE = auto()
    """A file that a macro or a repeat includes is read before the rest of it."""
    NOT_IN_FACTORS = auto()
    """``!`` may stand before any operand, and takes all that follows; it had to come first."""
    C_ESCAPES = auto()
    """The escapes of C in strings and characters, with the feature ``string_escapes``; those by
    number in a string are not translated to the target's character set."""
    RETURN_ENDS_LINES = auto()
    """A line may end with a carriage return alone."""
    NEAR_TABLES = auto()
    """``jmp (table,x)`` of the 65816 takes an address within its bank of a far one."""
    EXPLICIT_ZEROPAGE = auto()
    """``z:`` says that ``lda z:<label`` is meant so: no warning."""
    ALIGNMENT_IS_FOR_LD65 = auto()
    """Large alignments are for the linker to warn about."""
    MORE_TARGETS = auto()
    """Further target systems, and another CPU of cx16."""
    SIZE_OF_CONSTRUCTORS = auto()
    """``.constructor`` and its kin compare a declared size with the label's, if it has one."""
    OVERWRITE_EXTENDS = auto()
    """Segments of type overwrite make their memory area and file longer; a gap before them is
    filled."""
    LARGE_ALIGNMENTS_ASKED_FOR = auto()
    """The linker warns about a large alignment only where no module asked for it."""
    SIZES_ARE_CHECKED = auto()
    """A memory area of negative size is an error."""
    MORE_IN_DBGFILE = auto()
    """Debug information has a segment's bank, and counts only the files it names."""
    LABELS_FOR_VICE = auto()
    """Labels for VICE have ``_`` for characters that it does not read."""
    NARROW_SIZES = auto()
    """``&`` is as small as its smaller side, and a symbol no larger than its value."""
    VARIABLES_KEEP_LOCALS = auto()
    """Another value for a variable leaves the cheap locals that can be seen alone."""


_CPU_WORDS: Final = (
    *(".p02x", ".pdtv", ".pwc02", ".pce02", ".p45gs02", ".p6280", ".pm740", ".psweet16"),
    *(".ifp02x", ".ifpdtv", ".ifpwc02", ".ifpce02", ".ifp45gs02", ".ifp6280"),
    *(".ifpm740", ".ifpsweet16"),
)


_CMOS: Final = ("BITIMM", "BRA8", "INA", "PUSHXY", "STZ", "ZPIND")
CAPABILITIES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        f"CPU_HAS_{name}": frozenset(
            cpu
            for cpu, names in {
                **dict.fromkeys(("65SC02", "65C02", "W65C02", "65816", "HuC6280"), _CMOS),
                **dict.fromkeys(("4510", "45GS02"), ("BRA8", "INA", "PUSHXY")),
                "65CE02": ("BRA8", "INA", "PUSHXY", "STZ"),
                "m740": ("BRA8", "INA"),
            }.items()
            if name in names
        )
        for name in _CMOS
    }
)
"""What ``.cap`` can ask for, and the CPUs that have it."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """The language of a release.

    ``version`` is what ``.version`` says (of 2.19, as Debian builds it).
    ``features`` are the names ``.feature`` takes. ``words`` are the control commands that 2.19 does
    not know, each with the command it is (its own name unless it is a second spelling).
    ``cpus`` are the CPUs' names with the instruction table of each. ``changes`` are the rest of
    what is not as in 2.19. ``cpu_bits`` is what ``.cpu`` gives, by the CPU's name. ``cpu_symbols``
    are defined in every source.
    """

    name: str
    version: int
    features: frozenset[str]
    words: Mapping[str, str]
    cpus: Mapping[str, str]
    changes: frozenset[Change]
    cpu_bits: Mapping[str, int]
    cpu_symbols: Mapping[str, int]

    @property
    def request(self) -> str:
        """How a source comes to be read in it, on command lines and in projects."""
        return f'--dialect {self.name}, in a project dialect = "{self.name}"'

    def __contains__(self, change: Change) -> bool:
        return change in self.changes


V2_19: Final = Dialect(
    "2.19",
    0x0320,
    _FEATURES_2_19,
    MappingProxyType({}),
    cpus=CPUS,
    changes=frozenset(),
    cpu_bits=MappingProxyType(_CPU_BITS_2_19),
    cpu_symbols=MappingProxyType({}),
)
V2_19_GIT: Final = Dialect(
    "2.19-git",
    0x0213,
    _FEATURES_2_19 | {"line_continuations", "long_jsr_jmp_rts"},
    MappingProxyType(
        {
            ".cap": ".cap",
            ".capability": ".cap",
            ".literal": ".literal",
            ".popcharmap": ".popcharmap",
            ".pushcharmap": ".pushcharmap",
            ".referto": ".referto",
            ".refto": ".referto",
            **{word: word for word in _CPU_WORDS},
        }
    ),
    cpus=LATER_CPUS,
    changes=frozenset(Change),
    cpu_bits=MappingProxyType({name: _collect_cpu_bits()[name.upper()] for name in LATER_CPUS}),
    cpu_symbols=MappingProxyType(_collect_cpu_symbols()),
)

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType({d.name: d for d in (V2_19, V2_19_GIT)})
"""By what ``--dialect`` calls them."""


def suggest_dialect(word: str) -> str | None:
    """What to do about a control command, feature or CPU that only another dialect knows."""
    for dialect in DIALECTS.values():
        cpus = {cpu.lower() for cpu in dialect.cpus}
        if word in dialect.words or word in dialect.features or word.lower() in cpus:
            return f"the dialect {dialect.name} knows it: {dialect.request}"
    return None
