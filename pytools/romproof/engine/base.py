"""What the engines made from microcode have in common: guards, stops, faults, observers."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from functools import lru_cache
from typing import Any

from romproof.engine.faults import CpuFault, make_outside_fault
from romproof.engine.inputs import check_run, check_store
from romproof.engine.instruments import Instruments, Recording, SpaceListener
from romproof.engine.protocol import EngineFault, Guard, Observer, Stop
from romproof.engine.registers import registers_of
from romproof.engine.space import NEVER, OUTSIDE, PROTECTED, SIZE, STOP, AddressSpace
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named

_OUTSIDE = bytes([OUTSIDE]) + bytes(255)
"""Turns a map of what may be executed into bits of what may not."""
_PROTECTED = bytes([0]) + bytes([PROTECTED]) * 255
_UNGUARDED = bytes(byte & ~(OUTSIDE | PROTECTED) for byte in range(0x100))
"""Clears what a guard has set."""


class LoopExit(Enum):
    """Why an engine's inner loop came back."""

    FETCH = 0
    """The program counter is at an address with a bit of ON_FETCH."""
    LIMIT = 1
    """The cycles are used up."""
    STOPPED = 2
    """The CPU stopped its clock."""


class MicrocodeEngine:
    """An engine without its inner loop, which the subclasses bring (``_go``).

    ``cpu`` is the name of a CPU (see romproof.isa.cpus); ``space`` the address space it runs
    in, flat memory of 64 KiB when not given.
    """

    name = ""

    def __init__(self, cpu: str = "mos6502", space: AddressSpace | None = None) -> None:
        self.cpu: Cpu = cpu_named(cpu)
        self.space = AddressSpace() if space is None else space
        self.cycles = 0
        self.instructions = 0
        self.lowest_s = (1 << self.cpu.registers[self.cpu.stack]) - 1
        self._registers: Any = registers_of(self.cpu)
        self._guard: Guard | None = None
        self._recording: Recording | None = None
        self._later: Observer | None = None

    @property
    def memory(self) -> bytearray:
        """All memory; of a flat space, one byte for each address."""
        return self.space.store

    @property
    def registers(self) -> Any:
        """The registers; change them only between runs."""
        return self._registers

    @property
    def guard(self) -> Guard | None:
        """The checks; None means none."""
        return self._guard

    @guard.setter
    def guard(self, guard: Guard | None) -> None:
        if guard is self._guard:
            return
        self._guard = guard
        mark_guarded(self.space.actions, guard)
        self.space.version += 1

    @property
    def executing(self) -> int:
        """The address of the instruction that is being executed; for devices and callbacks."""
        raise NotImplementedError

    def instrument(self, instruments: Instruments | None) -> Recording:
        """Write down what ``instruments`` ask for, from now on; None ends that.

        A recording begins empty; what earlier ones hold stays. To be called between runs.
        """
        recording = Recording(instruments or Instruments(), self.cpu)
        self.space.unwatch()
        self._recording = None
        if instruments is not None:
            self._recording = recording
            self.space.watch(
                instruments.actions(), SpaceListener(recording, lambda: self.executing)
            )
        self._prepare_recording()
        return recording

    def _prepare_recording(self) -> None:
        """Another recording has begun, or none."""

    def reset(self) -> None:
        """Let the reset line work: 7 cycles on the 6502, to where the vector at $FFFC points.

        Raises Unsupported for a CPU whose registers a boot ROM sets.
        """
        raise NotImplementedError

    def step(self) -> None:
        """Execute one instruction. Raises EngineFault on one it cannot execute."""
        self.run((), 1)

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """Execute until the program counter is in ``until`` or ``limit`` cycles passed.

        At least one instruction is executed. Raises EngineFault; the program counter then is
        at the instruction at fault. Raises BadInput when it cannot be run at all.
        """
        check_run(until, limit)
        self._registers.check()
        check_store(self.space)
        actions = self.space.actions
        pc = self._registers.pc
        if actions[pc] & OUTSIDE:
            raise self._make_outside_fault(pc, pc)
        for address in until:
            actions[address] |= STOP
        end = min(self.cycles + limit, NEVER)
        self.space.stolen = 0  # of a device that failed
        try:
            if observer is None or getattr(observer, "detached", False):
                self._later = observer
                reason, last = self._go(end)
            else:
                reason, last = self._observe(end, observer)
        finally:
            self._later = None
            for address in until:
                actions[address] &= ~STOP
        if reason is LoopExit.STOPPED:
            return Stop.STOPPED
        pc = self._registers.pc
        if reason is LoopExit.FETCH and pc not in until:
            raise self._make_outside_fault(pc, last)
        return Stop.LIMIT if reason is LoopExit.LIMIT else Stop.REACHED

    def _go(self, limit: int) -> tuple[LoopExit, int]:
        """Execute at least one instruction, until ``self.cycles`` is ``limit`` or more.

        Gives the reason and the address of the last instruction. Raises EngineFault. What
        ``_recording`` wants is written down, and ``_later`` is called for each instruction, here or
        at the end.
        """
        raise NotImplementedError

    def _observe(self, limit: int, observer: Observer) -> tuple[LoopExit, int]:
        """One instruction after the other, telling ``observer`` of each."""
        watched = _LastCall()
        registers, stack, special = self._registers, self.cpu.stack, self.cpu.special
        while True:
            pc, before = registers.pc, self.cycles
            if self.space.interrupts or getattr(registers, special):
                # it may turn out to be no instruction, which the inner loop knows
                self._later = watched
                reason, last = self._go(before + 1)
                observer.instruction(*watched.last)
            else:
                byte = self.space.peek(pc)
                self._later = None
                reason, last = self._go(before + 1)
                s = getattr(registers, stack)
                observer.instruction(pc, byte, self.cycles - before, s, registers.pc)
            if reason is not LoopExit.LIMIT or self.cycles >= limit:
                return reason, last

    def _make_outside_fault(self, pc: int, last: int) -> EngineFault:
        return make_outside_fault(self.name, self.cpu.opcodes[self.space.peek(last)], pc, last)

    def _fault(self, fault: CpuFault, address: int) -> EngineFault:
        byte = self.space.peek(address)
        return EngineFault(fault.kind, self.name, address, byte, fault.sentence, fault.write)


class _LastCall:
    """Stores the arguments of an observer's last call."""

    last = (0, 0, 0, 0, 0)

    def instruction(self, pc: int, byte: int, cycles: int, s: int, next_pc: int) -> None:
        """See Observer."""
        self.last = (pc, byte, cycles, s, next_pc)


def mark_guarded(actions: bytearray, guard: Guard | None) -> None:
    """Set OUTSIDE and PROTECTED where a guard has them, and nowhere else."""
    kept = actions.translate(_UNGUARDED)
    if guard is None:
        actions[:] = kept
        return
    marks = _marks(guard.executable, guard.protected)
    if kept.count(0) == SIZE:  # as they are at the beginning of most runs
        actions[:] = marks
        return
    both = int.from_bytes(kept, "little") | int.from_bytes(marks, "little")
    actions[:] = both.to_bytes(SIZE, "little")


@lru_cache(maxsize=16)
def _marks(executable: bytes | None, protected: bytes | None) -> bytes:
    """The bits of a guard for all addresses. The same guard guards many runs."""
    outside = executable.translate(_OUTSIDE) if executable is not None else bytes(SIZE)
    if protected is None:
        return outside
    both = int.from_bytes(outside, "little") | int.from_bytes(
        protected.translate(_PROTECTED), "little"
    )
    return both.to_bytes(SIZE, "little")


def clear_bits(actions: bytearray, bits: int) -> None:
    """Clear ``bits`` of all bytes."""
    actions[:] = actions.translate(bytes(byte & ~bits for byte in range(0x100)))
