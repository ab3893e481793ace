"""The programs that hold the mahjong walls' routines, one for each CPU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from fairdeck.data import DEFAULT_ENGINE, rom_folder
from romproof import Built, Machine, Rom, build

WALL_ROMS: Mapping[str, str] = MappingProxyType({"6502": "walls", "sm83": "walls-gb"})
"""By the CPU's name, as command lines call it: the folder of its program."""

LIMIT = 20_000_000
"""Cycles a round may take; a usual one takes a tenth of that."""


@cache
def wall_rom(cpu: str) -> Built:
    """The program for a CPU, assembled in memory. Raises BuildFailed, DataMissing."""
    return build(rom_folder() / WALL_ROMS[cpu])


def wall_machine(cpu: str, engine: str = DEFAULT_ENGINE) -> Machine:
    """A machine with the program, freshly loaded. Raises NoSuchEngine, MissingExtra."""
    return Rom(wall_rom(cpu).image, engine).machine()
