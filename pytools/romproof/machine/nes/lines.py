"""The IRQ line of the CPU, which several devices pull low."""

from __future__ import annotations

from romproof.engine.space import NEVER, Signals


class IrqLine:
    """IRQ is low while any source holds it; ``since`` has the cycle from which each does."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self.since: dict[str, int] = {}

    def hold(self, source: str, cycle: int) -> None:
        """A source pulls the line low, from a cycle on, if it does not yet."""
        self.since.setdefault(source, cycle)
        self._signals.irq_from = min(self.since.values())

    def release(self, source: str) -> None:
        """A source lets go of the line."""
        if self.since.pop(source, None) is not None:
            self._signals.irq_from = min(self.since.values(), default=NEVER)
