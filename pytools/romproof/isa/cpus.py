"""The CPUs there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from romproof.isa.cpu import Cpu
from romproof.isa.mos6502 import mos6502
from romproof.isa.perfect6502 import perfect6502
from romproof.isa.ricoh2a03 import ricoh2a03
from romproof.isa.sm83 import sm83
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError


class NoSuchCpu(RomproofError):
    """The name is no CPU's."""


CPUS: Mapping[str, Callable[[], Cpu]] = MappingProxyType(
    {"mos6502": mos6502, "perfect6502": perfect6502, "ricoh2a03": ricoh2a03, "sm83": sm83}
)


def cpu_named(name: str) -> Cpu:
    """The CPU with all of its microcode. Raises NoSuchCpu."""
    make = CPUS.get(name)
    if make is None:
        hint = suggest(name, CPUS)
        raise NoSuchCpu(
            f"no CPU '{name}'" + (f"; {hint}" if hint else "") + f"; there are: {', '.join(CPUS)}"
        )
    return make()
