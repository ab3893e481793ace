"""The lines IRQ and NMI, which several chips hold low."""

from __future__ import annotations

from romproof.engine.space import NEVER, Signals


class C64Lines:
    """IRQ is low as long as any chip holds it; NMI counts when it falls. Chips have names."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._irq: dict[str, int] = {}
        self._nmi: set[str] = set()

    def hold_irq(self, chip: str, since: int) -> None:
        """``chip`` holds IRQ low from the cycle ``since`` on."""
        self._irq.setdefault(chip, since)
        self._signals.irq_from = min(self._irq.values())

    def release_irq(self, chip: str) -> None:
        """``chip`` lets go of IRQ."""
        self._irq.pop(chip, None)
        self._signals.irq_from = min(self._irq.values(), default=NEVER)

    def hold_nmi(self, chip: str, since: int) -> None:
        """``chip`` holds NMI low from the cycle ``since`` on."""
        if not self._nmi:
            self._signals.nmi_at = min(self._signals.nmi_at, since)
        self._nmi.add(chip)

    def release_nmi(self, chip: str, cycle: int) -> None:
        """``chip`` lets go of NMI; one that would have fallen after ``cycle`` does not."""
        if chip in self._nmi and self._signals.nmi_at != NEVER and self._signals.nmi_at > cycle:
            self._signals.nmi_at = NEVER
        self._nmi.discard(chip)

    def pulse_nmi(self, cycle: int) -> None:
        """NMI falls and rises at once, as by the RESTORE key; nothing falls that is low."""
        if not self._nmi:
            self._signals.nmi_at = min(self._signals.nmi_at, cycle)
