"""What a run is checked for besides contracts, how seriously, and what each machine begins with.

Each check is off, gives a warning, or is an error that ends the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal, cast

from romproof.text.diagnostic import suggest
from romproof.text.errors import BadInput

CheckMode = Literal["off", "warn", "error"]
LEVELS: tuple[CheckMode, ...] = ("off", "warn", "error")


class BadCheck(BadInput):
    """There is no such check, or no such level."""


@dataclass(frozen=True, slots=True)
class Checks:
    """The level of each check; the values here are those of flat memory.

    ``rom_writes``: writes to read-only memory. ``stray_writes``: writes to where the layout has
    no memory and the machine no port. ``uninitialised``: reads of variables that nothing has
    written. ``stack``: pushes onto the program's data. ``indirect_jump``: the 6502's
    ``jmp ($xxFF)``, which takes its high byte from the start of the same page.
    ``data_execution``: execution of bytes that the source has as data. ``video``: writes to video
    memory while the picture is drawn.
    """

    rom_writes: CheckMode = "error"
    stray_writes: CheckMode = "off"
    uninitialised: CheckMode = "off"
    stack: CheckMode = "error"
    indirect_jump: CheckMode = "warn"
    data_execution: CheckMode = "warn"
    video: CheckMode = "off"

    def with_levels(self, levels: Mapping[str, str] | None) -> Checks:
        """These with some levels changed. Raises BadCheck."""
        if not levels:
            return self
        faults = faults_of(levels)
        if faults:
            raise BadCheck("; ".join(faults))
        return replace(self, **{name: cast(CheckMode, level) for name, level in levels.items()})


NAMES = tuple(field.name for field in fields(Checks))
OFF = Checks("off", "off", "off", "off", "off", "off", "off")

DEFAULTS: Mapping[str, Checks] = MappingProxyType(
    {
        "flat": Checks(),
        "nes": Checks(stray_writes="warn"),
        "gameboy": Checks(stray_writes="warn", indirect_jump="off"),
        "c64": Checks(),  # there is RAM at all addresses
    }
)
"""What each machine begins with, by its name in manifests."""


def faults_of(levels: Mapping[str, object]) -> list[str]:
    """What is wrong with a table of levels, a sentence each."""
    faults = []
    for name, level in levels.items():
        if name not in NAMES:
            hint = suggest(name, NAMES) or f"the checks are {', '.join(NAMES)}"
            faults.append(f"no check '{name}'; {hint}")
        elif level not in LEVELS:
            faults.append(f"the check '{name}' is one of {', '.join(LEVELS)}, not {level!r}")
    return faults


def checks_of(machine: str, levels: Mapping[str, str] | None = None) -> Checks:
    """The checks of a machine, with some levels changed. Raises BadCheck."""
    return DEFAULTS.get(machine, DEFAULTS["flat"]).with_levels(levels)
