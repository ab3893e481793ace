"""The engines there are, which of them can be used here, and the one to take by default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any

from romproof.engine.protocol import Engine
from romproof.engine.space import AddressSpace
from romproof.support.extras import absent
from romproof.text.diagnostic import suggest
from romproof.text.errors import MissingExtra, RomproofError

DEFAULT_ENGINE = "auto"
"""Not an engine: the first of ENGINES that can be used."""
DEFAULT_CPU = "mos6502"


class Ability(Enum):
    """What some engines can do and others cannot."""

    BUS_TRACE = "bus trace"
    """Tell of every bus cycle."""
    DEVICES = "devices"
    """Python objects in place of memory."""
    INTERRUPTS = "interrupts"
    """Interrupt lines, and devices that act by themselves."""
    UNDOCUMENTED = "undocumented opcodes"
    BATCH = "batch"
    """Many runs at once, on all cores."""


_ALL_BUT_BATCH = frozenset(Ability) - {Ability.BATCH}
_COMPILED = frozenset(Ability) - {Ability.BUS_TRACE}


class NoSuchEngine(RomproofError):
    """The name is not an engine's, or the engine cannot be used here."""


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine: what it needs and can do, and how to make one.

    ``packages`` are those it imports, ``extra`` the part of the distribution that brings them.
    ``cpus`` names the CPUs it knows; None means all. ``when_watched`` is the engine that does its
    work while there is an observer of each instruction, "" where that is itself.
    """

    name: str
    about: str
    make: Callable[[str, AddressSpace | None], Any]
    abilities: frozenset[Ability]
    packages: tuple[str, ...] = ()
    extra: str = ""
    cpus: tuple[str, ...] | None = None
    make_by_default: Callable[[str, AddressSpace | None], Engine] | None = None
    when_watched: str = ""

    def refusal(self, cpu: str = DEFAULT_CPU) -> str | None:
        """Why it cannot be used for a CPU, or None when it can."""
        missing = self.missing()
        if missing is not None:
            return missing
        if self.cpus is not None and cpu not in self.cpus:
            return f"it knows {', '.join(self.cpus)} only, not {cpu}"
        return None

    def missing(self) -> str | None:
        """Which package is not installed, and what to do about it."""
        package = absent(self.packages)
        if package is None:
            return None
        return f'the package {package} is not installed; pip install "romproof[{self.extra}]"'


# An engine's module is imported only when it is used: some need packages that may be missing.


def _make_recompiled(cpu: str, space: AddressSpace | None) -> Engine:
    from romproof.engine.recompiled.engine import RecompiledEngine

    return RecompiledEngine(cpu, space)


def _make_patient(cpu: str, space: AddressSpace | None) -> Engine:
    from romproof.engine.recompiled.engine import PATIENT, RecompiledEngine

    return RecompiledEngine(cpu, space, warm_up=PATIENT)


def _llvm(cpu: str, space: AddressSpace | None) -> Engine:
    from romproof.engine.llvm.engine import LlvmEngine

    return LlvmEngine(cpu, space)


def _plain(cpu: str, space: AddressSpace | None) -> Engine:
    from romproof.engine.plain.engine import PlainEngine

    return PlainEngine(cpu, space)


def _py65(cpu: str, space: AddressSpace | None) -> Engine:
    from romproof.engine.py65_engine import Py65Engine

    return Py65Engine(space)


ENGINES: Mapping[str, EngineRow] = MappingProxyType(
    {
        row.name: row
        for row in (
            EngineRow(
                "recompiled",
                "translates frequently executed code to machine code; other code runs as in llvm",
                _make_recompiled,
                _COMPILED,
                ("llvmlite",),
                "fast",
                make_by_default=_make_patient,
                when_watched="llvm",
            ),
            EngineRow(
                "llvm", "an interpreter in machine code", _llvm, _COMPILED, ("llvmlite",), "fast"
            ),
            EngineRow(
                "plain", "Python ints; every bus cycle can be watched", _plain, _ALL_BUT_BATCH
            ),
            EngineRow(
                "py65",
                "Mike Naberezny's emulator, an independent witness",
                _py65,
                frozenset({Ability.DEVICES}),
                ("py65",),
                "py65",
                cpus=("mos6502",),
            ),
        )
    }
)
"""From the fastest to the slowest."""


def choose_engine(cpu: str = DEFAULT_CPU) -> str:
    """The name of the fastest engine that can be used here for a CPU."""
    return next(name for name, row in ENGINES.items() if row.refusal(cpu) is None)


def make_engine(
    name: str = DEFAULT_ENGINE, cpu: str = DEFAULT_CPU, space: AddressSpace | None = None
) -> Engine:
    """A new engine, with empty memory or in ``space``.

    Raises NoSuchEngine, MissingExtra when a package it needs is not installed, and NoSuchCpu.
    """
    row = usable_engine(name, cpu)
    make = row.make_by_default if name == DEFAULT_ENGINE else None
    try:
        engine: Engine = (make or row.make)(cpu, space)
    except ImportError as fault:
        raise MissingExtra(
            f"the engine '{row.name}' cannot be used: {fault}; "
            f"reinstall its packages: {', '.join(row.packages)}"
        ) from fault
    return engine


def usable_engine(name: str = DEFAULT_ENGINE, cpu: str = DEFAULT_CPU) -> EngineRow:
    """The row of an engine that can be used here for a CPU.

    Raises NoSuchEngine, and MissingExtra when a package it needs is not installed.
    """
    if name == DEFAULT_ENGINE:
        name = choose_engine(cpu)
    check_engine_name(name, cpu)
    row = ENGINES[name]
    missing, refusal = row.missing(), row.refusal(cpu)
    if missing is not None:
        raise MissingExtra(f"the engine '{name}' cannot be used: {missing}")
    if refusal is not None:
        raise NoSuchEngine(f"the engine '{name}' cannot be used: {refusal}")
    return row


def check_engine_name(name: str, cpu: str = DEFAULT_CPU) -> None:
    """Raises NoSuchEngine for a name that no engine has, before work is done for it."""
    if name not in engine_names():
        hint = suggest(name, engine_names())
        available = ", ".join(n for n, r in ENGINES.items() if r.refusal(cpu) is None)
        raise NoSuchEngine(
            f"no engine '{name}'" + (f"; {hint}" if hint else "") + f"; available: {available}"
        )


def engine_names() -> tuple[str, ...]:
    """All names that an engine can be asked for by."""
    return (DEFAULT_ENGINE, *ENGINES)
