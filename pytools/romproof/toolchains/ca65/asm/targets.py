"""Target systems of ``-t``: the symbols and the character set each one brings.

Measured on ca65 2.19: which of its predefined constants are there, and what
becomes of each of the 256 characters, and the CPU. Targets with another CPU than
those of romproof.toolchains.ca65.obj.cpus are left out.
"""

from __future__ import annotations

from typing import Final

from romproof.toolchains.ca65.obj.dialect import Change, Dialect

TARGETS: dict[str, tuple[str, ...]] = {
    "none": (),
    "apple2": ("__APPLE2__",),
    "apple2enh": ("__APPLE2__", "__APPLE2ENH__"),
    "atari": ("__ATARI__",),
    "atari2600": ("__ATARI2600__",),
    "atari5200": ("__ATARI5200__",),
    "atarixl": ("__ATARI__", "__ATARIXL__"),
    "atmos": ("__ATMOS__",),
    "bbc": ("__BBC__",),
    "c128": ("__CBM__", "__C128__"),
    "c16": ("__CBM__", "__C16__"),
    "c64": ("__CBM__", "__C64__"),
    "cbm510": ("__CBM__", "__CBM510__"),
    "cbm610": ("__CBM__", "__CBM610__"),
    "creativision": ("__CREATIVISION__",),
    "cx16": ("__CBM__", "__CX16__"),
    "gamate": ("__GAMATE__",),
    "geos-apple": ("__GEOS__", "__GEOS_APPLE__"),
    "geos-cbm": ("__GEOS__", "__GEOS_CBM__"),
    "lunix": ("__LUNIX__",),
    "lynx": ("__LYNX__",),
    "nes": ("__NES__",),
    "osic1p": ("__OSIC1P__",),
    "pet": ("__CBM__", "__PET__"),
    "plus4": ("__CBM__", "__C16__", "__PLUS4__"),
    "sim6502": ("__SIM6502__",),
    "sim65c02": ("__SIM65C02__",),
    "supervision": ("__SUPERVISION__",),
    "telestrat": ("__TELESTRAT__",),
    "vic20": ("__CBM__", "__VIC20__"),
}
"""Target name -> the symbols it defines, each with the value 1."""

LATER_TARGETS: dict[str, tuple[str, ...]] = {
    **TARGETS,
    "atari7800": ("__ATARI7800__",),
    "c65": ("__CBM__", "__C65__"),
    "kim1": ("__KIM1__",),
    "mega65": ("__CBM__", "__MEGA65__"),
    "pce": ("__PCE__",),
    "rp6502": ("__RP6502__",),
    "sym1": ("__SYM1__",),
}
"""Those of cc65 after 2.19. Its ``agat``, which has a character set of its own, is left out."""

_CPUS: Final = {
    **dict.fromkeys(("apple2enh", "cx16", "geos-apple", "sim65c02"), "65C02"),
    **dict.fromkeys(("lynx", "supervision"), "65SC02"),
}


_LATER_CPUS: Final = {
    **_CPUS,
    **dict.fromkeys(("cx16", "rp6502"), "W65C02"),
    **{"c65": "4510", "mega65": "45GS02", "pce": "HuC6280"},
}


def targets_of(dialect: Dialect) -> dict[str, tuple[str, ...]]:
    """The targets of a dialect."""
    return LATER_TARGETS if Change.MORE_TARGETS in dialect else TARGETS


def cpu_of(target: str, dialect: Dialect) -> str:
    """The CPU of a target, which is assembled for where no other is named."""
    cpus = _LATER_CPUS if Change.MORE_TARGETS in dialect else _CPUS
    return cpus.get(target, "6502")


_PETSCII: Final = {
    0x08: 0x14,
    0x0A: 0x0D,
    0x0B: 0x11,
    0x0C: 0x93,
    0x0D: 0x0A,
    0x11: 0x0B,
    0x14: 0x08,
    0x93: 0x0C,
    **{code: code + 0x80 for code in range(0x41, 0x5B)},  # upper case
    **{code: code - 0x20 for code in range(0x61, 0x7B)},  # lower case
    **{code: code - 0x60 for code in range(0xC0, 0xE0)},
    0x5C: 0xBF,
    0x5F: 0xA4,
    0x60: 0xAD,
    0x7B: 0xB3,
    0x7C: 0xDD,
    0x7D: 0xAB,
    0x7E: 0xB1,
    0x7F: 0xDF,
}

_ATASCII: Final = {0x07: 0xFD, 0x09: 0x7F, 0x0A: 0x9B, 0x0C: 0x7D}

_OSI: Final = {0x7C: 0x7D, 0x7D: 0x7C, 0x7E: 0x7F, 0x7F: 0x7E}


def charmap(target: str) -> list[int]:
    """The code of each of the 256 characters on a target."""
    changes: dict[int, int] = {}
    if "__CBM__" in LATER_TARGETS[target]:
        changes = _PETSCII
    elif target in ("atari", "atari5200", "atarixl"):
        changes = _ATASCII
    elif target == "osic1p":
        changes = _OSI
    return [changes.get(code, code) for code in range(256)]
