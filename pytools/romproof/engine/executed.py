"""What an engine tells an observer that is told later: many instructions at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

from romproof.engine.instruments import Raw
from romproof.engine.protocol import Observer

RECORD = Struct("=QHHHH")
"""An executed instruction: the fields of ``Raw``."""


@dataclass(frozen=True, slots=True)
class ExecutedBatch:
    """Instructions one after the other, and nothing between them.

    ``records`` has a RECORD for each; it is only good until the observer returns. ``now`` is the
    cycle after the last one. ``firsts`` has the byte that an observer gets for each number of a
    microcode.
    """

    records: memoryview
    now: int
    firsts: tuple[int, ...]

    @property
    def numbers(self) -> set[int]:
        """Which microcodes there are among them."""
        size = RECORD.size // 2
        return set(self.records.cast("B").cast("H")[size - 1 :: size])

    def __iter__(self) -> Iterator[tuple[int, int, int, int, int]]:
        """The arguments of Observer.instruction for each."""
        raws: list[Raw] = list(RECORD.iter_unpack(self.records))
        ends = [*(raw[0] for raw in raws), self.now][1:]
        for (cycle, pc, next_pc, stack, number), ended in zip(raws, ends, strict=True):
            yield pc, self.firsts[number], ended - cycle, stack, next_pc


def tell_executed(observer: Observer, executed: ExecutedBatch) -> None:
    """Tell an observer of all of them: at once, if it has a method ``executed`` that takes them."""
    takes = getattr(observer, "executed", None)
    if takes is None or not takes(executed):
        for instruction in executed:
            observer.instruction(*instruction)
