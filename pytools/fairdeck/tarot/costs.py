"""What the routines cost on each CPU: cycles of sampled calls, bytes of code and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.on_machine import DECK_INIT, LIMIT, SHUFFLE, start
from fairdeck.tarot.runs import Request
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import DEFAULT_VARIANT, VARIANTS, Variant
from romproof import Clock, Image, Machine, Rom, find_clock

FILES = ("state", "next_byte", "flip", "draw", "swap", "deck_init", "shuffle")
"""The files of the library that a program needs for all routines; ``lfsr_small`` is one more way
to make the generator's next byte."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of ``code`` and ``tables`` in ROM, and of ``memory``: the deck and all variables."""

    code: int
    tables: int
    memory: int

    @property
    def rom(self) -> int:
        """Code and tables."""
        return self.code + self.tables


def size_of(target: Target, feedback: Feedback, reduction: Reduction, variant: Variant) -> Size:
    """What all routines take together. Raises BuildFailed, DataMissing."""
    image = tarot_library(target, feedback, reduction, variant).image
    memory = sum(
        part.size
        for segment in image.segments
        if segment.file is None
        for part in segment.parts
        if PurePath(part.module).stem in FILES
    )
    return Size(*sizes(image, FILES), memory)


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


ROUTINES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "next_byte_small": ("lfsr_small",),
        "next_byte": ("next_byte",),
        "flip": ("flip",),
        "draw": ("draw",),
        "swap": ("swap",),
        SHUFFLE: ("shuffle",),
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
    variant: Variant
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


@dataclass(frozen=True, slots=True)
class Whole:
    """One variant on one CPU: what a shuffle costs, and the ``size`` of all its routines.

    ``on_front``: no other variant on the same CPU is as good in bytes of ROM, of RAM and in mean
    cycles, and better in one of them.
    """

    shuffle: Cost
    size: Size
    on_front: bool = True

    @property
    def figures(self) -> tuple[int, int, Fraction]:
        """What is compared: bytes of ROM, bytes of RAM, mean cycles; less is better."""
        return self.size.rom, self.size.memory, self.shuffle.mean


def variants_of(
    target: Target, request: Request, engine: str = DEFAULT_ENGINE
) -> tuple[Whole, ...]:
    """All variants on one CPU, the smallest first; each shuffles from the same seed on.

    Every call is held to its contract. Raises what ``costs`` raises.
    """
    wholes = []
    for variant in VARIANTS.values():
        machine, image, clock = _prepare_library(target, request, engine, variant)
        cycles = [machine.call(SHUFFLE, limit=LIMIT).cycles for _ in range(_SHUFFLES)]
        cost = _cost(SHUFFLE, target, variant, cycles, image, clock)
        size = size_of(target, request.feedback, request.reduction, variant)
        wholes.append(Whole(cost, size))
    return tuple(
        replace(one, on_front=not any(_better(other, one) for other in wholes)) for one in wholes
    )


def _better(one: Whole, other: Whole) -> bool:
    """Whether ``one`` is nowhere worse than another, and better somewhere."""
    first, second = one.figures, other.figures
    no_worse = first[0] <= second[0] and first[1] <= second[1] and first[2] <= second[2]
    return no_worse and first != second


def costs(
    target: Target,
    request: Request,
    engine: str = DEFAULT_ENGINE,
    variant: Variant = DEFAULT_VARIANT,
) -> tuple[Cost, ...]:
    """The costs of all ROUTINES, called one after the other from the seed of ``request`` on.

    A draw is taken for each card of a shuffle, from 78 down. Every call is held to its contract.
    Raises what building the library and calling it raise, and NoSuchEngine.
    """
    machine, image, clock = _prepare_library(target, request, engine, variant)
    return tuple(
        _cost(routine, target, variant, list(sample), image, clock)
        for routine, sample in _samples(machine, target)
    )


def _prepare_library(
    target: Target, request: Request, engine: str, variant: Variant
) -> tuple[Machine, Image, Clock]:
    """The library with its seed and the deck in order, and the clock it runs at."""
    built = tarot_library(target, request.feedback, request.reduction, variant)
    machine = Rom(built.image, engine).machine()
    for symbol, data in start(request).items():
        machine.write(symbol, data)
    machine.call(DECK_INIT)
    return machine, built.image, find_clock(built.manifest.clock_name)


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


def _cost(
    routine: str,
    target: Target,
    variant: Variant,
    cycles: list[int],
    image: Image,
    clock: Clock,
) -> Cost:
    code, tables = sizes(image, ROUTINES[routine])
    return Cost(
        routine,
        target,
        variant,
        len(cycles),
        min(cycles),
        Fraction(sum(cycles), len(cycles)),
        max(cycles),
        code,
        tables,
        clock,
    )
