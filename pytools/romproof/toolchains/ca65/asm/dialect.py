"""The releases of ca65 whose language is read: what each knows that the one before does not.

The table names what a source can write. What the same words mean otherwise follows from the
features and the properties here; nothing else asks which release it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Dialect:
    """The language of a release.

    ``version`` is what ``.version`` says (of 2.19, as Debian builds it).
    ``features`` are the names ``.feature`` takes. ``words`` are the control commands that 2.19 does
    not know, each with the command it is (its own name unless it is a second spelling).
    ``switches_features``: ``.feature`` takes ``+``, ``-``, ``on`` and ``off``. ``marked_unnamed``:
    an unnamed label may be ``@:``, and named ``@+``, ``@-`` and ``:<``. ``addrsize_is_known``:
    ``.addrsize`` needs no feature. ``promotes_jumps``: ``jsr``, ``jmp`` and ``rts`` of the 65816
    become long ones where an address or scope is far, without a feature. ``wrap_is_error``: so is
    ``jmp ($xxFF)`` of the NMOS 6502, unless checks are relaxed; else the linker only warns.
    ``cpu_bits`` is what ``.cpu`` gives, by the CPU's name. ``cpu_symbols`` are
    defined in every source.
    """

    name: str
    version: int
    features: frozenset[str]
    words: Mapping[str, str]
    switches_features: bool
    marked_unnamed: bool
    addrsize_is_known: bool
    promotes_jumps: bool
    wrap_is_error: bool
    cpu_bits: Mapping[str, int]
    cpu_symbols: Mapping[str, int]


V2_19: Final = Dialect(
    "2.19",
    0x0320,
    _FEATURES_2_19,
    MappingProxyType({}),
    switches_features=False,
    marked_unnamed=False,
    addrsize_is_known=False,
    promotes_jumps=True,
    wrap_is_error=False,
    cpu_bits=MappingProxyType(_CPU_BITS_2_19),
    cpu_symbols=MappingProxyType({}),
)
V2_19_GIT: Final = Dialect(
    "2.19-git",
    0x0213,
    _FEATURES_2_19 | {"line_continuations", "long_jsr_jmp_rts"},
    MappingProxyType(
        {
            ".literal": ".literal",
            ".popcharmap": ".popcharmap",
            ".pushcharmap": ".pushcharmap",
            ".referto": ".referto",
            ".refto": ".referto",
        }
    ),
    switches_features=True,
    marked_unnamed=True,
    addrsize_is_known=True,
    promotes_jumps=False,
    wrap_is_error=True,
    cpu_bits=MappingProxyType({**_collect_cpu_bits(), "none": 1 << 0}),
    cpu_symbols=MappingProxyType(_collect_cpu_symbols()),
)

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType({d.name: d for d in (V2_19, V2_19_GIT)})
"""By what ``--dialect`` calls them."""


def suggest_dialect(word: str) -> str | None:
    """What to do about a control command or feature that only another dialect knows."""
    for dialect in DIALECTS.values():
        if word in dialect.words or word in dialect.features:
            return f"the dialect {dialect.name} knows it: --dialect {dialect.name}"
    return None
