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


def _maker(name: str) -> Callable[[], Cpu]:
    """What makes a CPU, from the module with its name: a program has one, and pays for one."""

    def make() -> Cpu:
        cpu: Cpu = getattr(import_module(f"romproof.isa.{name}"), name)()
        return cpu

    return make


CPUS: Mapping[str, Callable[[], Cpu]] = MappingProxyType(
    {name: _maker(name) for name in ("mos6502", "perfect6502", "ricoh2a03", "sm83")}
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
