"""Machines with random contents on several engines, and what can be seen of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from every_engine import engine_with

from romproof.engine.protocol import EngineFault, FaultKind, Guard
from romproof.engine.space import NEVER, PAGE, SIZE, AddressSpace

START = 0x0200
WARM_UP = 20
"""Cycles until ``recompiled`` makes its first translation."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is attached: device ranges, a timer's period, and the cycles at which NMI falls.

    A write to a device pulls IRQ low (SM83: requests interrupts), a read lets go of it.
    ``timer`` 0: there is none. ``interrupts``: the lines are looked at although nothing uses
    them by itself. ``banks``: there is twice the memory, and each write to a device brings
    another page of it into sight. ``steals``: writes to a device and the timer take cycles from
    the CPU. ``observed``: an observer is told of every instruction.
    """

    devices: tuple[tuple[int, int], ...] = ()
    timer: int = 0
    held: int = 1
    nmis: tuple[int, ...] = ()
    interrupts: bool = False
    banks: bool = False
    steals: bool = False
    observed: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A machine before its first instruction.

    ``seed`` fills the memory with bytes out of ``opcodes``; ``code`` comes at START.
    """

    cpu: str
    seed: int
    opcodes: Sequence[int]
    code: bytes
    registers: Mapping[str, int]
    wiring: Wiring = Wiring()
    guard: Guard | None = None


@cache
def filled(seed: int, values: tuple[int, ...]) -> bytes:
    """64 KiB of random bytes out of ``values``."""
    return bytes(Random(seed).choices(values, k=SIZE))


class Device:
    """Its bytes depend on where and when; it keeps a log of all accesses."""

    def __init__(self, space: AddressSpace, sm83: bool) -> None:
        self.log: list[tuple[str, int, int, int]] = []
        self._space = space
        self._signals = space.signals
        self._sm83 = sm83

    def read(self, address: int, cycle: int) -> int:
        value = (address * 7 + cycle * 13) & 0xFF
        self.log.append(("r", address, value, cycle))
        if self._sm83:
            self._signals.enabled = value
        else:
            self._signals.irq_from = NEVER
        return value

    def write(self, address: int, value: int, cycle: int) -> None:
        self.log.append(("w", address, value, cycle))
        if self._sm83:
            self._signals.requested |= value & 0x1F
        else:
            self._signals.irq_from = cycle
        space = self._space
        if space.steals:
            space.steal(value % 5 * 100)
        if not space.flat:
            there = (value + 3 * cycle) % (len(space.store) // PAGE) * PAGE
            pages = space.read_pages if cycle & 1 else space.write_pages
            pages[value] = there


class Timer:
    """Pulls IRQ low every ``period`` cycles, for ``held`` cycles; NMI falls at given ones."""

    def __init__(self, space: AddressSpace, wiring: Wiring, sm83: bool) -> None:
        self._space = space
        self._signals = space.signals
        self._wiring = wiring
        self._sm83 = sm83
        self._at = wiring.timer or NEVER
        self._release = NEVER
        self._nmis = sorted(set(wiring.nmis))
        self.log: list[tuple[int, int]] = []

    def due(self) -> int:
        return min([self._at, self._release, *self._nmis[:1]])

    def advance(self, cycle: int) -> None:
        while (now := self.due()) <= cycle:
            self.log.append((now, cycle))
            if self._space.steals:
                self._space.steal(4)
            if self._nmis and self._nmis[0] == now:
                self._nmis.pop(0)
                self._fire(now, nmi=True)
            elif self._release == now:
                self._release = NEVER
                self._signals.irq_from = NEVER
            else:
                self._at += self._wiring.timer
                self._release = now + self._wiring.held
                self._fire(now, nmi=False)

    def _fire(self, now: int, nmi: bool) -> None:
        if self._sm83:
            self._signals.requested |= 1 if nmi else 4
        elif nmi:
            self._signals.nmi_at = now
        else:
            self._signals.irq_from = now


class Log:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, ...]] = []

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        self.seen.append((pc, byte, cycles, s, next_pc))


class Subject:
    """A case on one engine, with devices of its own."""

    def __init__(self, name: str, case: Case) -> None:
        sm83, wiring = case.cpu == "sm83", case.wiring
        memory = bytearray(filled(case.seed, tuple(case.opcodes)))
        space = AddressSpace(memory + memory) if wiring.banks else AddressSpace()
        space.store[:SIZE] = memory
        space.store[START : START + len(case.code)] = case.code
        self._device = Device(space, sm83)
        space.steals = wiring.steals
        self._timer = Timer(space, wiring, sm83)
        for first, last in wiring.devices:
            space.attach(first, last, self._device)
        if wiring.timer or wiring.nmis:
            space.attach_clock(self._timer)
        if wiring.interrupts:
            space.use_signals()
        self.engine = engine_with(name, space=space, cpu=case.cpu, **case.registers)
        if name == "recompiled":
            self.engine.warm_up = WARM_UP
        self.engine.guard = case.guard
        self.fault: EngineFault | None = None
        self.ended = ""
        self._observer = Log() if wiring.observed else None

    def run(self, limit: int) -> bool:
        """Run for so many cycles; False when it cannot go on."""
        try:
            self.ended = self.engine.run((), limit, self._observer).value
        except EngineFault as fault:
            self.fault = fault
        return self.fault is None

    def seen(self) -> dict[str, Any]:
        """All that must be the same on every engine."""
        engine, fault = self.engine, self.fault
        return {
            "registers": engine.registers.copy(),
            "cycles": engine.cycles,
            "instructions": engine.instructions,
            "ended": self.ended,
            "fault": fault and (fault.kind, fault.address, fault.opcode, str(fault)),
            "device": self._device.log,
            "timer": [now for now, _ in self._timer.log],
            "signals": engine.space.signals,
            "observed": self._observer and self._observer.seen,
        }

    def memory(self) -> bytes:
        """All of memory now, but for a stack that overflowed: what a push that is a fault
        wrote is left open."""
        memory = bytearray(self.engine.memory)
        if self.fault is not None and self.fault.kind is FaultKind.STACK_OVERFLOW:
            memory[0x100:0x200] = bytes(0x100)
        return bytes(memory)


def in_step(names: list[str], case: Case, limits: list[int]) -> None:
    """Run a case on all engines, for so many cycles after another; AssertionError where they
    differ. An engine that meets an opcode it does not know is out from there on."""
    first, *others = [Subject(name, case) for name in names]
    for limit in limits:
        going = first.run(limit)
        expected, memory = first.seen(), first.memory()
        for other in list(others):
            other.run(limit)
            if other.fault is not None and other.fault.kind is FaultKind.UNDOCUMENTED:
                others.remove(other)
                continue
            pair = f"{first.engine.name}, {other.engine.name}"
            assert other.seen() == expected, pair
            assert other.memory() == memory, pair
        if not going:
            return
