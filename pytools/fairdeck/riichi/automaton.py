"""The finite automaton by which machine code finds a suit's costs, as tables in assembly.

It reads how many copies of the numbers 1 to 9 are held, one after another, and ends at the costs of
that suit. Two beginnings share a row when whatever may follow gives both the same costs. A suit may
have up to ``MAX`` tiles and no number four times; for others the machine works the costs out.
What may follow depends on how many tiles were read, so a row is shared as well by a beginning with
more tiles, of which less may follow.

    python -m fairdeck.riichi.automaton ASM     writes ASM/6502/riichi/automaton.s, ASM/sm83/...
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fairdeck.riichi.tables import BASE, COSTS, NUMBERS, suit_table
from romproof import write_all

MAX = 10
"""Tiles of a suit that the automaton knows. One more takes 3 KB more of tables."""
COPIES_READ = 4
"""A number is there 0 to 3 times."""

Ids = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Automaton:
    """``levels[n]`` are the rows at number n (0..8): for each count 0..3 a row of the next level.

    Rows of the last level give a number of ``vectors``: ten costs each, in the order of
    fairdeck.riichi.shanten.Costs. -1: more tiles than ``MAX``.
    """

    levels: tuple[tuple[tuple[int, ...], ...], ...]
    vectors: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(len(level) for level in self.levels)


@cache
def automaton(most: int = MAX) -> Automaton:
    """The automaton for suits of up to ``most`` tiles."""
    table = suit_table(NUMBERS)
    digits = np.indices((COPIES_READ,) * NUMBERS).reshape(NUMBERS, -1)
    weights = BASE ** np.arange(NUMBERS - 1, -1, -1)
    costs = table[(digits * weights[:, None]).sum(axis=0)]
    fits = digits.sum(axis=0) <= most
    vectors = np.unique(costs[fits], axis=0)
    order = {tuple(int(c) for c in vector): number for number, vector in enumerate(vectors)}
    numbers = np.full(len(costs), -1, dtype=np.int32)
    numbers[fits] = [order[tuple(int(c) for c in vector)] for vector in costs[fits]]
    levels: list[list[list[int]]] = []
    targets = numbers  # of each whole suit: its vector; then of each shorter beginning: its row
    for _ in range(NUMBERS):
        rows, targets = _share_rows(targets.reshape(-1, COPIES_READ))
        levels.insert(0, rows)
    return Automaton(tuple(tuple(tuple(row) for row in level) for level in levels), tuple(order))


def _share_rows(rows: Ids) -> tuple[list[list[int]], Ids]:
    """Rows that may stand for all of ``rows``, and which stands for each.

    Two rows agree when they are equal wherever both are defined. A row of -1 stands for itself.
    """
    shared: list[list[int]] = []
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    numbers = np.full(len(unique), -1, dtype=np.int32)
    defined = (unique >= 0).sum(axis=1)
    by_beginning: dict[tuple[int, ...], int] = {}
    for index in np.argsort(-defined, kind="stable"):
        length = int(defined[index])
        if length == 0:
            continue
        beginning = tuple(int(v) for v in unique[index][:length])
        if beginning not in by_beginning:
            for shorter in range(1, length + 1):
                by_beginning.setdefault(beginning[:shorter], len(shared))
            shared.append([int(v) for v in unique[index]])
        numbers[index] = by_beginning[beginning]
    return shared, numbers[inverse]


_ABOUT = """\
SPDX-License-Identifier: MIT
The automaton that finds the costs of a suit by its nine numbers.
Written by pytools/fairdeck/riichi/automaton.py, which says how it works.
"""


def assembly(cpu: str) -> str:
    """The tables in the dialect of ``cpu`` ("6502" or "sm83")."""
    made = automaton()
    lines = [f"; {line}" for line in _ABOUT.splitlines()]
    lines += _AS[cpu](made)
    return "\n".join(lines) + "\n"


def _starts(made: Automaton, sizes: Sequence[int]) -> list[int]:
    """Where each level's rows begin, in bytes from the root."""
    starts = [0]
    for level, size in zip(made.levels, sizes, strict=True):
        starts.append(starts[-1] + len(level) * size)
    return starts


def _rows(made: Automaton, starts: Sequence[int], word: str) -> Iterator[str]:
    """The rows of all levels but the last: addresses of rows."""
    for place, level in enumerate(made.levels[:-1]):
        yield f"  ; number {place + 1}"
        for row in level:
            targets = (
                f"automaton_root+{starts[place + 1] + to * _step(place + 1, starts, made)}"
                if to >= 0
                else "0"
                for to in row
            )
            yield f"  {word} {', '.join(targets)}"


def _step(place: int, starts: Sequence[int], made: Automaton) -> int:
    return (starts[place + 1] - starts[place]) // len(made.levels[place])


def _as_6502(made: Automaton) -> list[str]:
    starts = _starts(made, [2 * COPIES_READ] * (NUMBERS - 1) + [COPIES_READ])
    planes = [f"cost_plane_{entry}" for entry in range(COSTS)]
    return [
        ".export automaton_root, " + ", ".join(planes),
        '.include "riichi/riichi.inc"',
        f'.assert AUTOMATON_MOST = {MAX}, error, "the automaton was made for other hands"',
        "",
        '.segment "RODATA"',
        "automaton_root:",
        *_rows(made, starts, ".word"),
        f"  ; number {NUMBERS}: which costs",
        *(f"  .byte {', '.join(str(max(to, 0)) for to in row)}" for row in made.levels[-1]),
        "; the costs, an entry of all of them after another",
        *(
            line
            for entry, plane in enumerate(planes)
            for line in _plane(plane, [vector[entry] for vector in made.vectors])
        ),
    ]


def _plane(name: str, values: Sequence[int]) -> Iterator[str]:
    yield f"{name}:"
    for first in range(0, len(values), 16):
        yield f"  .byte {', '.join(str(value) for value in values[first : first + 16])}"


def _as_sm83(made: Automaton) -> list[str]:
    starts = _starts(made, [2 * COPIES_READ] * NUMBERS)
    last = (
        ", ".join(f"automaton_costs+{max(to, 0) * COSTS}" if to >= 0 else "0" for to in row)
        for row in made.levels[-1]
    )
    return [
        'INCLUDE "riichi/riichi.inc"',
        f"STATIC_ASSERT AUTOMATON_MOST == {MAX}",
        "",
        'SECTION "riichi automaton", ROM0, ALIGN[3]',
        "automaton_root::",
        *_rows(made, starts, "dw"),
        f"  ; number {NUMBERS}: which costs",
        *(f"  dw {row}" for row in last),
        "",
        'SECTION "riichi automaton costs", ROM0',
        "automaton_costs::",
        *(f"  db {', '.join(map(str, vector))}" for vector in made.vectors),
    ]


_AS = {"6502": _as_6502, "sm83": _as_sm83}
_ENDINGS = {"6502": "s", "sm83": "asm"}


def write_assembly(library: Path) -> list[Path]:
    """Write both tables below the folder ``asm``. Raises OSError."""
    return write_all(
        [
            (library / cpu / "riichi" / f"automaton.{ending}", assembly(cpu))
            for cpu, ending in _ENDINGS.items()
        ]
    )


if __name__ == "__main__":
    write_assembly(Path(sys.argv[1]))
