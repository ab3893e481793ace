"""The engine ``py65``: documented NMOS opcodes on Mike Naberezny's emulator."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from romproof.engine.protocol import EngineFault, FaultKind, Guard, Observer, Registers, Stop
from romproof.engine.py65_cpu import NEVER, Cpu, CpuFault, Memory

_SIZE = 0x10000
_NOWHERE = bytes(_SIZE)
_BLOCKED = bytes([2]) + bytes(255)
"""Turns a map of executable addresses into one of forbidden ones."""

_RETURNS = (0x40, 0x60)
"""RTI and RTS."""


class Py65Engine:
    """py65 1.2 behind the engine protocol.

    py65 1.2.0 counts ``dec a16`` ($CE) as 3 cycles; the chip takes 6. This
    engine counts 6, in a table of its own. All other documented opcodes agree
    with a transistor-level simulation in state and cycles. Undocumented
    opcodes are refused with EngineFault.
    """

    name = "py65"

    def __init__(self) -> None:
        self.memory: bytearray = Memory(_SIZE)
        self.cycles = 0
        self.instructions = 0
        self._cpu = Cpu(memory=self.memory)
        self._registers = Registers()
        self._running = False
        self._guard: Guard | None = None
        self._forbidden = _NOWHERE

    @property
    def lowest_s(self) -> int:
        """The lowest value of the stack pointer since it was last set."""
        return int(self._cpu.lowest)

    @lowest_s.setter
    def lowest_s(self, value: int) -> None:
        self._cpu.lowest = value

    @property
    def registers(self) -> Registers:
        """The registers; change them only between runs."""
        if self._running:
            self._save()
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
        executable = guard.executable if guard else None
        self._forbidden = executable.translate(_BLOCKED) if executable else _NOWHERE
        self._cpu.bottom = 0 if guard else NEVER
        self._cpu.top = guard.stack_top if guard else NEVER
        self._cpu.brk_allowed = guard.brk if guard else True

    def step(self) -> None:
        """Execute one instruction. Raises EngineFault on one it cannot execute."""
        self.run((), 1)

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """Execute until the program counter is in ``until`` or ``limit`` cycles passed.

        At least one instruction is executed. Raises EngineFault.
        """
        # one look-up an instruction tells both: wanted and forbidden addresses
        stops = self._forbidden
        if until:
            marked = bytearray(stops)
            for address in until:
                marked[address] = 1
            stops = bytes(marked)
        self._load()
        if self._forbidden[self._cpu.pc]:
            self._running = False
            raise self._outside(self._cpu.pc, self._cpu.pc)
        memory = self.memory
        assert isinstance(memory, Memory)
        memory.protected = self._guard.protected if self._guard else None
        try:
            last = self._watched(stops, limit, observer) if observer else self._bare(stops, limit)
        finally:
            memory.protected = None
            self._save()
            self._running = False
        pc = self._registers.pc
        if pc in until:
            return Stop.REACHED
        if stops[pc]:
            raise self._outside(pc, last)
        return Stop.LIMIT

    def _bare(self, stops: bytes, limit: int) -> int:
        """The inner loop: py65's ``step`` written out. The last address executed."""
        cpu = self._cpu
        memory, instruct = self.memory, cpu.instruct
        cycletime, extracycles = cpu.cycletime, cpu.extracycles
        used = done = 0
        pc: int = cpu.pc
        last = pc
        try:
            for done in count():
                byte = memory[pc]
                cpu.pc = (pc + 1) & 0xFFFF
                cpu.excycles = 0
                cpu.addcycles = extracycles[byte]
                instruct[byte](cpu)
                last = pc
                pc = cpu.pc & 0xFFFF
                used += cycletime[byte] + cpu.excycles
                if stops[pc] or used >= limit:
                    done += 1
                    break
        except CpuFault as fault:
            raise self._fault(fault, pc) from None
        finally:
            cpu.pc = pc
            self.cycles += used
            self.instructions += done
        return last

    def _watched(self, stops: bytes, limit: int, observer: Observer) -> int:
        """The same loop, telling ``observer`` of every instruction."""
        cpu = self._cpu
        memory, instruct = self.memory, cpu.instruct
        cycletime, extracycles = cpu.cycletime, cpu.extracycles
        used = 0
        pc: int = cpu.pc
        last = pc
        try:
            while True:
                byte = memory[pc]
                cpu.pc = (pc + 1) & 0xFFFF
                cpu.excycles = 0
                cpu.addcycles = extracycles[byte]
                instruct[byte](cpu)
                last = pc
                pc = cpu.pc = cpu.pc & 0xFFFF
                cycles = cycletime[byte] + cpu.excycles
                used += cycles
                self.cycles += cycles
                self.instructions += 1
                observer.instruction(last, byte, cycles, cpu.sp, pc)
                if stops[pc] or used >= limit:
                    break
        except CpuFault as fault:
            raise self._fault(fault, pc) from None
        finally:
            cpu.pc = pc
        return last

    def _load(self) -> None:
        cpu, registers = self._cpu, self._registers
        cpu.a, cpu.x, cpu.y = registers.a, registers.x, registers.y
        cpu.sp, cpu.p, cpu.pc = registers.s, registers.p, registers.pc
        self._running = True

    def _save(self) -> None:
        cpu, registers = self._cpu, self._registers
        registers.a, registers.x, registers.y = cpu.a, cpu.x, cpu.y
        registers.s, registers.pc = cpu.sp, cpu.pc
        registers.p = (cpu.p | 0x20) & 0xEF

    def _fault(self, fault: CpuFault, address: int) -> EngineFault:
        return EngineFault(fault.kind, self.name, address, self.memory[address], fault.sentence)

    def _outside(self, pc: int, last: int) -> EngineFault:
        came = "" if pc == last else ", after the instruction at {at}"
        if came and self.memory[last] in _RETURNS:
            came += ", which pulled an address that no call pushed: do pushes and pulls balance?"
        return EngineFault(
            FaultKind.OUTSIDE,
            self.name,
            last,
            self.memory[last],
            f"execution leaves the program: nothing was loaded at ${pc:04X}{came}",
        )
