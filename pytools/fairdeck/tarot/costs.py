"""What the routines cost on each CPU: cycles of sampled calls, bytes of code and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.on_machine import DECK_INIT, LIMIT, SHUFFLE, start, tarot_rom
from fairdeck.tarot.runs import Request
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import Target
from romproof import Clock, Image, Machine, Rom, find_clock

ROUTINES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "next_byte_small": ("lfsr_small",),
        "next_byte": ("lfsr_fast",),
        "flip": ("flip",),
        "draw": ("draw",),
        "swap": ("swap",),
        SHUFFLE: ("shuffle", "shuffle_tables"),
    }
)
"""The files that hold a routine and its tables, without what it calls."""

_BYTES = 100
_SHUFFLES = 200
"""Calls in a sample: so many of next_byte, eight flips for each, so many shuffles."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one routine costs on one CPU.

    ``least`` to ``most`` are cycles of a call (entry to return inclusive), found in ``calls``
    calls; ``clock`` turns them into time. ``code`` and ``tables`` are bytes in ROM.
    """

    routine: str
    target: Target
    calls: int
    least: int
    mean: Fraction
    most: int
    code: int
    tables: int
    clock: Clock

    @property
    def microseconds(self) -> float:
        """How long a call takes on average."""
        return self.clock.microseconds(float(self.mean))


def costs(target: Target, request: Request, engine: str = DEFAULT_ENGINE) -> tuple[Cost, ...]:
    """The costs of all ROUTINES, called one after the other from the seed of ``request`` on.

    A draw is taken for each card of a shuffle, from 78 down. Every call is held to its contract.
    Raises what building the ROM and calling it raise, and NoSuchEngine.
    """
    built = tarot_rom(target, request.feedback, request.reduction)
    machine = Rom(built.image, engine).machine()
    for symbol, data in start(request).items():
        machine.write(symbol, data)
    machine.call(DECK_INIT)
    clock = find_clock(built.manifest.clock_name)
    return tuple(
        _cost(routine, target, list(sample), built.image, clock)
        for routine, sample in _samples(machine, target)
    )


def _samples(machine: Machine, target: Target) -> Iterator[tuple[str, Iterator[int]]]:
    """The routines with the cycles of their calls, which are made as they are asked for."""
    first, second = target.swaps
    for routine in ("next_byte_small", "next_byte"):
        yield routine, (machine.call(routine).cycles for _ in range(_BYTES))
    yield "flip", (machine.call("flip").cycles for _ in range(8 * _BYTES))
    yield "draw", (machine.call("draw", a=n - 1).cycles for n in range(CARDS, 1, -1))
    pairs: list[dict[str, Any]] = [
        {first: place, second: CARDS - 1 - place} for place in range(CARDS)
    ]
    yield "swap", (machine.call("swap", **pair).cycles for pair in pairs)
    shuffles = range(_SHUFFLES)
    yield SHUFFLE, (machine.call(SHUFFLE, limit=LIMIT).cycles for _ in shuffles)


def _cost(routine: str, target: Target, cycles: list[int], image: Image, clock: Clock) -> Cost:
    code, tables = sizes(image, ROUTINES[routine])
    return Cost(
        routine,
        target,
        len(cycles),
        min(cycles),
        Fraction(sum(cycles), len(cycles)),
        max(cycles),
        code,
        tables,
        clock,
    )


def sizes(image: Image, files: tuple[str, ...]) -> tuple[int, int]:
    """Bytes of code and of tables in ROM that come from some of the library's files."""
    parts = [
        part
        for segment in image.segments
        if segment.file is not None
        for part in segment.parts
        if PurePath(part.module).stem in files
    ]
    total = sum(part.size for part in parts)
    code = sum(
        line.size
        for line in image.lines
        if line.is_code
        and any(part.address <= line.address < part.address + part.size for part in parts)
    )
    return code, total - code
