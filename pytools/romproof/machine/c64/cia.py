"""A CIA (6526): two timers, two ports, and which of its events ask for an interrupt.

Not here: the time of day, whose registers keep what is written; the serial register; the pin CNT,
which never moves.
"""

from __future__ import annotations

from typing import Protocol

from romproof.engine.space import NEVER
from romproof.machine.c64.lines import C64Lines
from romproof.machine.c64.timer import LOAD, START, Timer

PORT_A, PORT_B, DIRECTION_A, DIRECTION_B = 0, 1, 2, 3
TIMER_A, TIMER_B, ICR, CONTROL_A, CONTROL_B = 4, 6, 13, 14, 15
"""Registers, by the lower four bits of the address. A timer has two, the lower byte first."""

FROM_A, FROM_B = 1, 2
"""The bits of ICR for the timers."""
_SOURCES = 0x1F
_INTERRUPT = 0x80
_SET = 0x80
_COUNTS_PIN, _COUNTS_A = 0x20, 0x40
"""CRA and CRB: count what comes at pin CNT. CRB: count how often timer A runs out."""
_ON_PIN, _TOGGLES = 0x02, 0x04
"""CRA and CRB: a pin of port B tells when the timer runs out, by a change or for a cycle."""
_PINS = (0x40, 0x80)


class CiaPorts(Protocol):
    """What is connected to the ports."""

    def pins(self, a: int, b: int) -> tuple[int, int]:
        """What the pins of both ports carry when the CIA puts ``a`` and ``b`` there (1 where it
        does not pull a pin down)."""


class Nothing:
    """Nothing is connected: inputs read 1."""

    def pins(self, a: int, b: int) -> tuple[int, int]:
        """See Ports."""
        return a, b


class Cia:
    """CIA 1 asks for IRQ, CIA 2 (``nmi``) for NMI; the line falls one cycle after the event, as
    with the first of these chips (6526, not 6526A)."""

    def __init__(self, name: str, lines: C64Lines, ports: CiaPorts, nmi: bool) -> None:
        self._name, self._lines, self._ports, self._nmi = name, lines, ports, nmi
        self.timers = Timer(), Timer()
        self._registers = bytearray(16)
        self._flags = self._mask = 0
        self._held_from = NEVER
        """The cycle from which the line is held; NEVER while it is not."""

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        value = self.peek(address, cycle)
        if address & 15 == ICR:
            self._flags, self._held_from = 0, NEVER
            self._release(cycle)
        return value

    def peek(self, address: int, cycle: int) -> int:
        """What a read would give; it has no effect."""
        self.advance(cycle)
        register = address & 15
        if register in (PORT_A, PORT_B):
            return self._ports.pins(self._out(PORT_A), self._out(PORT_B))[register]
        if TIMER_A <= register < TIMER_B + 2:
            counter = self.timers[register - TIMER_A >> 1].counter
            return counter >> 8 if register & 1 else counter & 0xFF
        if register == ICR:
            return self._flags | (_INTERRUPT if self._held_from <= cycle else 0)
        if register >= CONTROL_A:
            running = self.timers[register - CONTROL_A].running
            return self._registers[register] & ~(START | LOAD) | running
        return self._registers[register]

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device."""
        self.advance(cycle)
        register = address & 15
        if TIMER_A <= register < TIMER_B + 2:
            self.timers[register - TIMER_A >> 1].set_latch(value, high=bool(register & 1))
            return
        if register == ICR:
            bits = value & _SOURCES
            self._mask = self._mask | bits if value & _SET else self._mask & ~bits
            self._ask(cycle + 1)  # in the second half of the cycle, in whose first timers count
            return
        self._registers[register] = value
        if register >= CONTROL_A:
            timer = self.timers[register - CONTROL_A]
            timer.control(value)
            other = _COUNTS_PIN if register == CONTROL_A else _COUNTS_PIN | _COUNTS_A
            timer.counts_cycles = not value & other

    def request(self, source: int, cycle: int) -> None:
        """Let happen in a cycle what ``source``, a bit of ICR, stands for."""
        self.advance(cycle)
        self._flags |= source
        self._ask(cycle)

    def due(self) -> int:
        """Clocked: when the line may fall."""
        if self._held_from != NEVER:
            return NEVER
        a, b = (timer.next_event() for timer in self.timers)
        if not self._mask & FROM_B:
            return a if self._mask & FROM_A else NEVER
        return min(a, b) if self._mask & FROM_A or self._b_counts_a else b

    def advance(self, cycle: int) -> None:
        """Clocked."""
        a, b = self.timers
        while a.at < cycle:
            to = min(cycle, a.next_event()) if self._b_counts_a else cycle
            events = a.advance(to), b.advance(to)
            if events[0] is not None and self._b_counts_a:
                b.count_one()
            for source, at in sorted(zip((FROM_A, FROM_B), events, strict=True), key=_when):
                if at is not None:
                    self._flags |= source
                    self._ask(at)

    @property
    def _b_counts_a(self) -> bool:
        return bool(self._registers[CONTROL_B] & _COUNTS_A)

    def _out(self, port: int) -> int:
        """What a port pulls down, as zeros."""
        value = (self._registers[port] | ~self._registers[DIRECTION_A + port]) & 0xFF
        if port == PORT_A:
            return value
        for pin, timer, control in zip(
            _PINS, self.timers, self._registers[CONTROL_A:], strict=True
        ):
            if control & _ON_PIN:
                high = timer.toggle if control & _TOGGLES else timer.ran_out_at == timer.at
                value = value | pin if high else value & ~pin
        return value

    def _ask(self, cycle: int) -> None:
        """Hold the line when an event that happened by ``cycle`` is one that asks for it."""
        if self._held_from != NEVER or not self._flags & self._mask:
            return
        self._held_from = cycle + 1
        hold = self._lines.hold_nmi if self._nmi else self._lines.hold_irq
        hold(self._name, self._held_from)

    def _release(self, cycle: int) -> None:
        if self._nmi:
            self._lines.release_nmi(self._name, cycle)
        else:
            self._lines.release_irq(self._name)


def _when(event: tuple[int, int | None]) -> int:
    return NEVER if event[1] is None else event[1]
