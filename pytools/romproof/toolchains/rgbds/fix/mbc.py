"""Cartridge types by name, as rgbfix(1) takes them for -m."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from itertools import product

from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError
from romproof.toolchains.rgbds.fix.header_fields import CARTRIDGE_TYPES, TPP1_TYPE


class BadMbc(RomproofError):
    """A name or number that is no cartridge type."""


@dataclass(frozen=True, slots=True)
class Mbc:
    """A cartridge type: the byte at $0147.

    For TPP1 ``revision`` has its two numbers and ``features`` its bits. ``warnings`` say
    what is odd about the name that it was given by.
    """

    code: int
    revision: tuple[int, int] | None = None
    features: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        if self.revision is not None:
            return "TPP1"
        return CARTRIDGE_TYPES.get(self.code, "(unknown)")

    @property
    def has_ram(self) -> bool:
        """Whether a RAM size other than 0 is expected with it."""
        return "RAM" in self.name.split("+") or self.code in _RAM_BY_NATURE


_RAM_BY_NATURE = (0x20, 0xFC, 0xFE)
"""MBC6, the camera and HuC3 have RAM, though their names do not say so."""
UNDER_SPECIFIED = (0x08, 0x09)
"""ROM+RAM: no cartridge has it, and how it would work is not known."""

_ALIASES = {"ROM ONLY": "ROM", "TAMA5": "BANDAI TAMA5"}
_FEATURES = ("RAM", "BATTERY", "TIMER", "RUMBLE", "SENSOR", "MULTIRUMBLE")
_TPP1 = re.compile(r"TPP1 *(?P<revision>.*)")
_TPP1_FEATURES = {"BATTERY": 8, "TIMER": 4, "MULTIRUMBLE": 3, "RUMBLE": 1}
"""Bits of the byte at $0153; several speeds of rumble are rumble too."""


def parse_mbc(text: str) -> Mbc:
    """The cartridge type called ``text``, e.g. ``MBC3+TIMER+RAM+BATTERY`` or ``TPP1_1.0+RUMBLE``.

    Letter case does not matter, nor does the order of what is added; ``_`` is a space, and spaces
    around ``+`` are left out. Raises BadMbc.
    """
    first, *rest = (part.strip() for part in text.upper().replace("_", " ").split("+"))
    features = frozenset(rest)
    unknown = features.difference(_FEATURES)
    if unknown:
        wrong = min(unknown)
        hint = suggest(wrong, _FEATURES)
        raise BadMbc(f"'{text}': there is no '{wrong}'" + (f"; {hint}" if hint else ""))
    tpp1 = _TPP1.fullmatch(first)
    if tpp1:
        return _tpp1(text, tpp1["revision"], features)
    name = _ALIASES.get(first, first)
    warnings: list[str] = []
    if name == "MBC3" and "TIMER" in features and "BATTERY" not in features:
        warnings.append('"MBC3+TIMER" implies "BATTERY"')
        features |= {"BATTERY"}
    candidates = {code: full for code, full in CARTRIDGE_TYPES.items() if _base(full) == name}
    for code, full in candidates.items():
        if frozenset(full.split("+")[1:]) == features:
            return Mbc(code, warnings=tuple(warnings))
    if candidates:
        raise BadMbc(f"'{text}' does not exist; there is {', '.join(candidates.values())}")
    known = {*map(_base, CARTRIDGE_TYPES.values()), *_ALIASES, "TPP1"}
    raise BadMbc(f"unknown MBC '{text}'; {suggest(first, known) or 'there is ' + _list(known)}")


def _base(name: str) -> str:
    return name.partition("+")[0]


def _list(names: set[str]) -> str:
    return ", ".join(sorted(name.replace(" ", "_") for name in names))


def _tpp1(text: str, revision: str, features: frozenset[str]) -> Mbc:
    numbers = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", revision)
    if numbers is None:
        raise BadMbc(f"'{text}': TPP1 needs a revision such as TPP1_1.0")
    major, minor = int(numbers[1]), int(numbers[2])
    if major != 1:
        raise BadMbc(f"'{text}': only revisions 1.x of TPP1 are known")
    if minor > 0xFF:
        raise BadMbc(f"'{text}': the second number of the revision must be within 0..255")
    if "SENSOR" in features:
        raise BadMbc(f"'{text}': TPP1 has no SENSOR")
    bits = 0
    for feature in features & _TPP1_FEATURES.keys():
        bits |= _TPP1_FEATURES[feature]
    warnings: tuple[str, ...] = ()
    if "RAM" in features:
        warnings = ("TPP1 requests RAM implicitly if given a non-zero RAM size",)
    return Mbc(TPP1_TYPE, (major, minor), bits, warnings)


_REMARKS = {0x00: "aka ROM_ONLY", 0x08: "deprecated", 0x09: "deprecated", 0xFD: "aka TAMA5"}


def list_of_mbcs() -> str:
    """The names that parse_mbc takes, a line for each family."""
    families: dict[tuple[str, bool, bool], list[str]] = {}
    for code, name in CARTRIDGE_TYPES.items():
        base, *features = name.split("+")
        plain_rom = base == "ROM" and not features
        family = (base, "TIMER" in features or "RUMBLE" in features, plain_rom)
        remark = f" [{_REMARKS[code]}]" if code in _REMARKS else ""
        entry = f"{name.replace(' ', '_')} (${code:02X}){remark}"
        families.setdefault(family, []).append(entry)
    lines = ["Accepted MBC names:", *(f"\t{', '.join(names)}" for names in families.values()), ""]
    choices = (("", "+BATTERY"), ("", "+TIMER"), ("", "+RUMBLE", "+MULTIRUMBLE"))
    tpp1 = ", ".join("TPP1_1.0" + "".join(chosen) for chosen in product(*choices))
    lines += [f"\t{line}" for line in textwrap.wrap(tpp1, 72, break_on_hyphens=False)]
    return "\n".join(lines)
