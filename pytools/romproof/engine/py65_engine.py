"""The engine ``py65``: documented NMOS opcodes on Mike Naberezny's emulator."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from typing import Any

from romproof.engine.faults import CpuFault, make_outside_fault, rom_write
from romproof.engine.inputs import Unsupported, check_run, check_store
from romproof.engine.instruments import Instruments, Recording, SpaceListener
from romproof.engine.protocol import EngineFault, Guard, Observer, Stop
from romproof.engine.py65_cpu import NO_BOTTOM, NO_TOP, Py65Cpu
from romproof.engine.registers import Registers
from romproof.engine.space import ON_READ, ON_WRITE, SIZE, AddressSpace
from romproof.isa.cpus import cpu_named
from romproof.isa.load import load


class ProtectedMemory(bytearray):
    """64 KiB of which parts can be protected: writing there raises CpuFault.

    ``protected`` has one byte for each address, nonzero where writes are
    faults; None switches the check off.
    """

    protected: bytes | None = None

    def __setitem__(self, key: Any, value: Any, _store: Any = bytearray.__setitem__) -> None:
        protected = self.protected
        if protected is not None and protected[key]:
            raise rom_write(key, value)
        _store(self, key, value)


class CheckedBus:
    """An address space with banks or devices: slower, as each access is checked.

    ``cycle`` is the time that devices get: the cycles before the instruction, as py65 does not
    know when within it an access comes. ``protected`` is as in Memory.
    """

    def __init__(self, space: AddressSpace) -> None:
        self.cycle = 0
        self.protected: bytes | None = None
        self._space = space

    def __getitem__(self, address: int) -> int:
        space = self._space
        if space.actions[address] & ON_READ:
            return space.read_call(address, self.cycle, dummy=False)
        return space.peek(address)

    def __setitem__(self, address: int, value: int) -> None:
        space, protected = self._space, self.protected
        if protected is not None and protected[address]:
            raise rom_write(address, value)
        if not space.actions[address] & ON_WRITE:
            space.store[space.write_pages[address >> 8] + (address & 0xFF)] = value
        elif not space.write_call(address, value, self.cycle):
            raise rom_write(address, value)


_NOWHERE = bytes(SIZE)
_BLOCKED = bytes([2]) + bytes(255)
"""Turns a map of executable addresses into one of forbidden ones."""


class Py65Engine:
    """py65 1.2 behind the engine protocol.

    py65 1.2.0 counts ``dec a16`` ($CE) as 3 cycles; the chip takes 6. This
    engine counts 6, in a table of its own. All other documented opcodes agree
    with a transistor-level simulation in state and cycles. Undocumented
    opcodes are refused with EngineFault.

    Devices in ``space`` see the accesses that py65 makes: no dummy ones, and all of an
    instruction at the cycle in which it began. Interrupts are refused with Unsupported.
    """

    name = "py65"

    def __init__(self, space: AddressSpace | None = None) -> None:
        if space is None:
            space = AddressSpace(ProtectedMemory(SIZE))
            space.flat = True
        self.space = space
        self.memory: bytearray = space.store
        self.cycles = 0
        self.instructions = 0
        self._bus = CheckedBus(space)
        self._cpu = Py65Cpu(memory=self.memory)
        self._registers = Registers()
        self._running = False
        self._guard: Guard | None = None
        self._forbidden = _NOWHERE
        self.executing = 0
        """The address of the instruction that is being executed; for devices and callbacks."""

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
        self._cpu.bottom = 0 if guard else NO_BOTTOM
        self._cpu.top = guard.stack_top if guard else NO_TOP
        self._cpu.brk_allowed = guard.brk if guard else True

    def instrument(self, instruments: Instruments | None) -> Recording:
        """See Engine; reads of uninitialised memory and writes to ROM are recorded, with the cycle
        before the instruction. The rest raises Unsupported."""
        wanted = instruments or Instruments()
        if wanted.counts or wanted.access or wanted.calls or wanted.trace or wanted.watch:
            raise Unsupported(
                "the engine 'py65' records reads of uninitialised memory, but no counts, access "
                "maps, calls, traces or watchpoints, because it does not know the cycle of an "
                "access; use another engine, such as 'plain'"
            )
        recording = Recording(wanted, cpu_named("mos6502"))
        self.space.unwatch()
        if instruments is not None:
            self.space.watch(
                instruments.actions(), SpaceListener(recording, lambda: self.executing)
            )
        return recording

    def step(self) -> None:
        """Execute one instruction. Raises EngineFault on one it cannot execute."""
        self.run((), 1)

    def run(self, until: Collection[int], limit: int, observer: Observer | None = None) -> Stop:
        """Execute until the program counter is in ``until`` or ``limit`` cycles passed.

        At least one instruction is executed. Raises EngineFault, BadInput, and Unsupported
        when interrupts are asked for.
        """
        check_run(until, limit)
        self._check()
        # one look-up for each instruction gives both: wanted and forbidden addresses
        stops = self._forbidden
        if until:
            marked = bytearray(stops)
            for address in until:
                marked[address] = 1
            stops = bytes(marked)
        self._load()
        if self._forbidden[self._cpu.pc]:
            self._running = False
            raise self._make_outside_fault(self._cpu.pc, self._cpu.pc)
        memory = self._cpu.memory = self._memory()
        memory.protected = self._guard.protected if self._guard else None
        try:
            if observer or isinstance(memory, CheckedBus):
                last = self._observe(stops, limit, observer)
            else:
                last = self._bare(stops, limit)
        finally:
            memory.protected = None
            self._save()
            self._running = False
        pc = self._registers.pc
        if pc in until:
            return Stop.REACHED
        if stops[pc]:
            raise self._make_outside_fault(pc, last)
        return Stop.LIMIT

    def _check(self) -> None:
        """Raises BadInput and Unsupported for a state that cannot be run."""
        space = self.space
        self._registers.check()
        check_store(space)
        if space.steals:
            raise Unsupported(
                "the engine 'py65' cannot let devices take cycles from the CPU, as DMA does; "
                "the engines 'llvm' and 'plain' can"
            )
        if space.interrupts or self._registers.interrupt:
            raise Unsupported(
                "the engine 'py65' supports neither interrupts nor devices that act on their "
                "own; the engines 'llvm' and 'plain' do"
            )

    def _memory(self) -> ProtectedMemory | CheckedBus:
        """The fastest object that does all the address space asks for."""
        space = self.space
        plain = space.flat and not space.special_reads and not space.special_writes
        return space.store if plain and isinstance(space.store, ProtectedMemory) else self._bus

    def _bare(self, stops: bytes, limit: int) -> int:
        """The inner loop: py65's ``step`` written out. The last address executed."""
        cpu = self._cpu
        memory, instruct = cpu.memory, cpu.instruct
        cycletime, extracycles = cpu.cycletime, cpu.extracycles
        used = done = 0
        pc: int = cpu.pc
        last = pc
        sp = p = 0
        try:
            for done in count():
                sp, p = cpu.sp, cpu.p
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
            cpu.sp, cpu.p = sp, p
            raise self._fault(fault, pc) from None
        finally:
            cpu.pc = pc
            self.cycles += used
            self.instructions += done
        return last

    def _observe(self, stops: bytes, limit: int, observer: Observer | None) -> int:
        """The same loop, telling ``observer`` and the bus of every instruction."""
        cpu = self._cpu
        memory, instruct = self._cpu.memory, cpu.instruct
        cycletime, extracycles = cpu.cycletime, cpu.extracycles
        used = sp = p = 0
        pc: int = cpu.pc
        last = pc
        try:
            while True:
                sp, p = cpu.sp, cpu.p
                self._bus.cycle = self.cycles
                self.executing = pc
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
                if observer is not None:
                    observer.instruction(last, byte, cycles, cpu.sp, pc)
                if stops[pc] or used >= limit:
                    break
        except CpuFault as fault:
            cpu.sp, cpu.p = sp, p
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
        byte = self.space.peek(address)
        return EngineFault(fault.kind, self.name, address, byte, fault.sentence, fault.write)

    def _make_outside_fault(self, pc: int, last: int) -> EngineFault:
        return make_outside_fault(self.name, load("mos6502")[self.space.peek(last)], pc, last)
