"""The engines there are, and which of them can be used here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType

from romproof.engine.protocol import Engine
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError

DEFAULT_ENGINE = "py65"


class NoSuchEngine(RomproofError):
    """The name is no engine's, or the engine cannot be used here."""


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine: the package it needs, and how to make one."""

    name: str
    package: str
    make: Callable[[], Engine]

    @property
    def refusal(self) -> str | None:
        """Why it cannot be used, or None when it can."""
        if find_spec(self.package) is None:
            return f"the package {self.package} is not installed"
        return None


def _py65() -> Engine:
    # here and not above: an engine's package is imported only when it is used
    from romproof.engine.py65_engine import Py65Engine

    return Py65Engine()


ENGINES: Mapping[str, EngineRow] = MappingProxyType(
    {row.name: row for row in (EngineRow("py65", "py65", _py65),)}
)


def make_engine(name: str = DEFAULT_ENGINE) -> Engine:
    """A new engine with empty memory. Raises NoSuchEngine."""
    row = ENGINES.get(name)
    if row is None:
        hint = suggest(name, ENGINES)
        available = ", ".join(sorted(n for n, r in ENGINES.items() if r.refusal is None))
        raise NoSuchEngine(
            f"no engine '{name}'" + (f"; {hint}" if hint else "") + f"; available: {available}"
        )
    refusal = row.refusal
    if refusal is not None:
        raise NoSuchEngine(f"the engine '{name}' cannot be used: {refusal}")
    return row.make()
