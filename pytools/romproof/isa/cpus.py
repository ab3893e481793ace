"""The CPUs there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

from romproof.isa.cpu import Cpu
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError


class NoSuchCpu(RomproofError):
    """The name is no CPU's."""


def _maker(name: str, module: str) -> Callable[[], Cpu]:
    """What makes a CPU, from its module: a program has one, and pays for one."""

    def make() -> Cpu:
        cpu: Cpu = getattr(import_module(f"romproof.isa.{module}"), name)()
        return cpu

    return make


_MODULES = {name: name for name in ("mos6502", "perfect6502", "ricoh2a03")} | dict.fromkeys(
    ("synertek65c02", "rockwell65c02", "wdc65c02"), "mos65c02"
)

CPUS: Mapping[str, Callable[[], Cpu]] = MappingProxyType(
    {name: _maker(name, module) for name, module in (_MODULES | {"sm83": "sm83"}).items()}
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
