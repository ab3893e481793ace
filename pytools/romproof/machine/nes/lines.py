"""The IRQ line of the CPU, which several devices pull low."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.engine.space import NEVER, Signals

FRAME, DMC, MAPPER = range(3)
"""The sources: the sound's frame counter, its sample channel, the cartridge."""


@fields(words={"since": 3})
class IrqLine(Chip):
    """IRQ is low while any source holds it; ``since`` has the cycle from which each does, NEVER
    for those that do not."""

    since: MutableSequence[int]

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self.since[:] = [NEVER] * 3

    def hold(self, source: int, cycle: int) -> None:
        """A source pulls the line low, from a cycle on, if it does not yet."""
        if self.since[source] == NEVER:
            self.since[source] = cycle
        self._look()

    def release(self, source: int) -> None:
        """A source lets go of the line."""
        if self.since[source] != NEVER:
            self.since[source] = NEVER
            self._look()

    def holds(self, source: int) -> bool:
        """Whether a source pulls the line low."""
        return self.since[source] != NEVER

    def _look(self) -> None:
        self._signals.irq_from = min(self.since[FRAME], self.since[DMC], self.since[MAPPER])
