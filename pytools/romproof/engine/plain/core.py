"""The CPU of the engine ``plain``: registers as attributes, bus cycles as methods.

The functions that ``emit`` writes act on a Core. Each bus method is one cycle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from romproof.engine.faults import rom_write
from romproof.engine.space import ON_READ, ON_WRITE, AddressSpace
from romproof.isa.microcode import StepKind


class BusCycle(NamedTuple):
    """One cycle on the bus. ``cycle`` counts from 0; ``address`` and ``value`` are None when the
    bus is idle. (A tuple: one is made for each cycle that is watched.)"""

    cycle: int
    kind: StepKind
    address: int | None
    value: int | None


class Core:
    """Registers, which ``emit``'s functions set as attributes, and the bus."""

    def __init__(self, space: AddressSpace, refuse_jam: Callable[[], None]) -> None:
        self.space = space
        self.cycles = 0
        self.start = 0
        """The address of the instruction that is being executed."""
        self.stopped = False
        self.jam = refuse_jam
        self._actions = space.actions
        self._store = space.store
        self._signals = space.signals
        self._read_pages, self._write_pages = space.read_pages, space.write_pages

    def read(self, address: int) -> int:
        """A cycle that reads."""
        cycle = self.cycles
        self.cycles = cycle + 1
        if self._actions[address] & ON_READ:
            value = self.space.read_call(address, cycle, dummy=False)
            if self.space.stolen:
                self.cycles += self.space.take_stolen()
            return value
        return self._store[self._read_pages[address >> 8] + (address & 0xFF)]

    def dummy_read(self, address: int) -> None:
        """A cycle that reads what nobody uses."""
        cycle = self.cycles
        self.cycles = cycle + 1
        if self._actions[address] & ON_READ:
            self.space.read_call(address, cycle, dummy=True)
            if self.space.stolen:
                self.cycles += self.space.take_stolen()

    fetch = operand = read

    def write(self, address: int, value: int, dummy: bool = False) -> None:
        """A cycle that writes."""
        cycle = self.cycles
        self.cycles = cycle + 1
        if not self._actions[address] & ON_WRITE:
            self._store[self._write_pages[address >> 8] + (address & 0xFF)] = value
        elif not self.space.write_call(address, value, cycle, dummy):
            raise rom_write(address, value)
        elif self.space.stolen:
            self.cycles += self.space.take_stolen()

    def dummy_write(self, address: int, value: int) -> None:
        """A cycle that writes what is there already."""
        self.write(address, value, dummy=True)

    def idle(self, address: int | None) -> None:
        """A cycle without an access."""
        self.cycles += 1

    def stop(self) -> None:
        """The CPU stops its clock."""
        self.stopped = True

    def signal_nmi(self) -> bool:
        """6502: has NMI fallen before this cycle, and nobody has seen to it?"""
        cycle = self.cycles
        return self._lines_are_used() and self.space.signals.nmi_at < cycle

    def signal_irq(self) -> bool:
        """6502: was IRQ low in the cycle before?"""
        cycle = self.cycles
        return self._lines_are_used() and self.space.signals.irq_from < cycle

    def signal_pending(self) -> int:
        """SM83: the interrupts that are enabled and requested."""
        if not self._lines_are_used():
            return 0
        signals = self.space.signals
        return signals.enabled & signals.requested & 0x1F

    def signal_waking(self) -> int:
        """SM83: of those what a halted CPU has seen."""
        return self.space.signals.find_wake_cause(self.cycles) if self._lines_are_used() else 0

    def _lines_are_used(self) -> bool:
        space = self.space
        if self._signals.horizon <= self.cycles:
            space.advance(self.cycles)
            if space.stolen:
                self.cycles += space.take_stolen()
        return space.interrupts

    def acknowledge_nmi(self, taken: int) -> None:
        """6502: the NMI is being served."""
        if taken:
            self.space.signals.acknowledge("nmi", taken)

    def acknowledge_interrupt(self, mask: int) -> None:
        """SM83: the interrupts of ``mask`` are being served."""
        self.space.signals.acknowledge("interrupt", mask)


class WatchedCore(Core):
    """A Core that calls ``watch`` in every cycle."""

    watch: Callable[[BusCycle], None]

    def _tell(self, kind: StepKind, address: int | None, value: int | None) -> None:
        self.watch(BusCycle(self.cycles - 1, kind, address, value))

    def fetch(self, address: int) -> int:
        """See Core."""
        value = Core.read(self, address)
        self._tell(StepKind.FETCH, address, value)
        return value

    def operand(self, address: int) -> int:
        """See Core."""
        value = Core.read(self, address)
        self._tell(StepKind.OPERAND, address, value)
        return value

    def read(self, address: int) -> int:
        """See Core."""
        value = super().read(address)
        self._tell(StepKind.READ, address, value)
        return value

    def dummy_read(self, address: int) -> None:
        """See Core; the value is read once more for the watcher when no device is asked."""
        cycle = self.cycles
        self.cycles = cycle + 1
        if self._actions[address] & ON_READ:
            value = self.space.read_call(address, cycle, dummy=True)
        else:
            value = self.space.peek(address)
        self._tell(StepKind.DUMMY_READ, address, value)
        if self.space.stolen:
            self.cycles += self.space.take_stolen()

    def write(self, address: int, value: int, dummy: bool = False) -> None:
        """See Core."""
        super().write(address, value, dummy)
        self._tell(StepKind.DUMMY_WRITE if dummy else StepKind.WRITE, address, value)

    def idle(self, address: int | None) -> None:
        """See Core."""
        super().idle(address)
        self._tell(StepKind.IDLE, address, None)
