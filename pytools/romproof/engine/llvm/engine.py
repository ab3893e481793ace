"""The engine ``llvm``: an interpreter in machine code, compiled at first use."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from romproof.engine.base import LoopExit, MicrocodeEngine
from romproof.engine.executed import RECORD, ExecutedBatch, tell_executed
from romproof.engine.instruments import first_bytes
from romproof.engine.llvm.blocks import RecordBlock
from romproof.engine.llvm.nothing_lost import NothingLost
from romproof.engine.llvm.running import (
    SLICE,
    EngineVariant,
    buffer_address,
    fault_of,
    find_acknowledge_line,
)
from romproof.engine.llvm.state import (
    CODES,
    AcknowledgeCall,
    ExitCode,
    HookCall,
    ReadCall,
    SignalCall,
    StealCall,
    WriteCall,
    state_type,
)
from romproof.engine.llvm.waiting import iterations, mos6502_loop
from romproof.engine.llvm.weave import Weave
from romproof.engine.plain.engine import PlainEngine
from romproof.engine.probe import Probed
from romproof.engine.space import DMA, ENTRY, NEVER, ON_FETCH, SIZE, AddressSpace

if TYPE_CHECKING:
    from romproof.engine.batch import BatchResult
    from romproof.engine.llvm.chips.compiled import CompiledChips

_EXITS = {
    ExitCode.FETCH: LoopExit.FETCH,
    ExitCode.LIMIT: LoopExit.LIMIT,
    ExitCode.STOPPED: LoopExit.STOPPED,
}


class LlvmEngine(MicrocodeEngine):
    """Executes the microcode in machine code; leaves it only for what Python must decide."""

    name = "llvm"

    def __init__(self, cpu: str = "mos6502", space: AddressSpace | None = None) -> None:
        super().__init__(cpu, space)
        self._state: Any = state_type(self.cpu.name)()
        self._error: BaseException | None = None
        self._version = -1
        """That of the address space which the code that runs was made for."""
        self._spare_block = RecordBlock()
        self._records: RecordBlock | None = None
        self._call_records: RecordBlock | None = None
        self._chips: CompiledChips | None = None
        self._marked: Marks | None = None
        self._variant = EngineVariant()
        state, own = self._state, self.space
        for name in ("store", "actions", "read_pages", "write_pages"):
            setattr(state, name, buffer_address(getattr(own, name)))
        self._nothing_lost = NothingLost(self._keep, _CALLED)
        self._calls = {  # they must live as long as the engine
            "read_call": ReadCall(self._read_call),
            "write_call": WriteCall(self._write_call),
            "signal_call": SignalCall(self._signal_call),
            "acknowledge_call": AcknowledgeCall(self._acknowledge_call),
            "steal_call": StealCall(self._steal_call),
            "hook_call": HookCall(self._hook_call),
        }
        for name, call in self._calls.items():
            setattr(state, name, ctypes.cast(call, ctypes.c_void_p).value)

    def weave(self) -> Weave:
        """The variant that the address space and the guard ask for."""
        space, guard, recording = self.space, self._guard, self._recording
        wanted = None if recording is None else recording.instruments
        features = (  # in the order of Weave
            self.cpu.name,
            not space.flat,
            space.special_reads,
            space.special_writes or (guard is not None and guard.protected is not None),
            space.interrupts,
            space.steals,
            self._uses_chips(),
            guard is not None,
            wanted is not None and wanted.counts,
            wanted is not None and wanted.access,
            self._later is not None or (wanted is not None and wanted.trace > 0),
            wanted is not None and wanted.calls,
            self._marked is not None,
        )
        return self._variant.weave(features)

    def _uses_chips(self) -> bool:
        """Whether devices are compiled too; nobody must watch what they are asked."""
        space = self.space
        if space.is_watched or not space.has_chips:
            return False
        if self._chips is None:
            from romproof.engine.llvm.chips.compiled import compile_chips  # few need it

            self._chips = compile_chips(self.cpu, space, find_acknowledge_line(self.cpu.name))
            self._chips.give(self._state)
        return True

    def probe(self, marked: bytes | None) -> None:
        """See Probing."""
        if marked is None:
            self._marked = None
            return
        if self._marked is None:
            self._marked = Marks()
            self._state.marked = self._marked.address
        self._marked.put(marked)
        state = self._state
        state.read_first = state.set_registers = state.read_marked = 0

    @property
    def probed(self) -> Probed | None:
        """See Probing."""
        state = self._state
        if self._marked is None:
            return None
        return Probed(state.read_first, state.set_registers, bool(state.read_marked))

    @property
    def executing(self) -> int:
        """See MicrocodeEngine."""
        return int(self._state.current_pc)

    def run_many(
        self,
        registers: Any,
        until: Collection[int],
        limit: Any,
        *,
        patches: Mapping[Any, Any] | None = None,
        outputs: Collection[tuple[int, int]] = (),
        workers: int | None = None,
    ) -> BatchResult:
        """Many runs from this engine's memory and with its guard, neither of which changes.

        See romproof.engine.batch.run_many for the arguments. Raises BadBatch, and MissingExtra
        when numpy is not installed.
        """
        return self._run_many(registers, until, limit, patches or {}, outputs, workers)

    def _run_many(self, registers: Any, *arguments: Any) -> BatchResult:
        from romproof.engine.batch import run_many  # it needs numpy, and an engine does not

        until, limit, patches, outputs, workers = arguments
        return run_many(
            self.space,
            registers,
            until,
            limit,
            patches=patches,
            outputs=outputs,
            cpu=self.cpu.name,
            guard=self.guard,
            workers=workers,
        )

    def reset(self) -> None:
        """See MicrocodeEngine. It is rare, and not worth compiling."""
        plain = PlainEngine(self.cpu.name, self.space)
        plain.cycles, plain._registers = self.cycles, self._registers
        plain.reset()
        self.cycles = plain.cycles

    def _prepare_recording(self) -> None:
        """Let compiled code write into the recording, and into blocks that we read."""
        self._records = self._call_records = None
        recording = self._recording
        if recording is None:
            return
        wanted, state = recording.instruments, self._state
        if wanted.counts:
            state.counts = buffer_address(recording.executions)
            state.spent = buffer_address(recording.cycles)
        if wanted.access:
            state.access = buffer_address(recording.access)
        if wanted.trace:
            recording.raw_trace = self._records = RecordBlock(wanted.trace)
        if wanted.calls:
            self._call_records = RecordBlock()

    def _go(self, limit: int) -> tuple[LoopExit, int]:
        while True:
            self._state.fetch_mask = ON_FETCH & ~ENTRY
            code = self._run(self._runner(), limit)
            if code is not ExitCode.LIMIT or self.cycles >= limit:
                return self._exit(code)

    def _runner(self) -> Any:
        return self._variant.interpreter(self.weave())

    def _run(self, run: Any, limit: int) -> ExitCode:
        """Let compiled code run on our state, slice by slice: Python sees to Ctrl-C between two.

        It ends before the limit where a device has put another one somewhere: what runs does not
        ask it.
        """
        self._version = self.space.version
        self._load()
        state = self._state
        try:
            with self._nothing_lost:
                state.limit = min(limit, state.cycles + SLICE)
                code = self._call(run)
                self._drain()
                while self._error is None and (
                    code is ExitCode.RECORDS or (code is ExitCode.LIMIT and state.cycles < limit)
                ):
                    if self.space.version != self._version:
                        code = ExitCode.LIMIT
                        break
                    state.limit = min(limit, state.cycles + SLICE)
                    code = self._go_on(run)
                    self._drain()
        finally:
            self._save()
        if self._error is not None:
            error, self._error = self._error, None
            self._state.broken = 0
            raise error
        return code

    def _call(self, run: Any) -> ExitCode:
        number: int = run(ctypes.addressof(self._state))
        return CODES[number]

    def _go_on(self, run: Any) -> ExitCode:
        """Let compiled code go on where a slice ended."""
        return self._call(run)

    def _drain(self) -> None:
        """Read what compiled code has written into blocks."""
        state, later = self._state, self._later
        calls, recording = self._call_records, self._recording
        if calls is not None and recording is not None:
            calls.end = state.calls
            recording.raw_calls.extend(RECORD.iter_unpack(calls.fresh()))
            calls.make_room()
            state.calls = calls.end
        records = self._records or (self._spare_block if later is not None else None)
        if records is not None:
            records.end = state.records
            try:
                if later is not None:
                    fresh, firsts = records.fresh(), first_bytes(self.cpu.name)
                    tell_executed(later, ExecutedBatch(fresh, state.cycles, firsts))
            finally:
                records.make_room()
                state.records = records.end

    def _exit(self, code: ExitCode) -> tuple[LoopExit, int]:
        """What the code means for the base class. Raises EngineFault."""
        state = self._state
        if code in _EXITS:
            return _EXITS[code], state.last_pc
        fault = fault_of(self.cpu, code, state)
        raise self._fault(fault, state.r_pc)

    def _load(self) -> None:
        state, guard = self._state, self._guard
        self._registers.store(state)
        state.cycles, state.instructions, state.stolen = self.cycles, self.instructions, 0
        state.passed_over = state.known_until = state.open_until = 0
        state.tells_steals = self.space.on_steal is not None
        state.may_wait = self._recording is None and self._later is None
        if guard is not None:
            state.stack_top, state.no_brk = guard.stack_top, not guard.brk
            state.lowest_stack = self.lowest_s
        if self.space.interrupts:
            self._give_signals()
        records = self._records or (self._spare_block if self._later is not None else None)
        if records is not None:
            records.mark_reported()
            state.records, state.records_end = records.end, records.limit
        if self._call_records is not None:
            self._call_records.mark_reported()
            state.calls, state.calls_end = self._call_records.end, self._call_records.limit

    def _save(self) -> None:
        state = self._state
        self._registers.load(state)
        self.cycles = state.cycles
        self.instructions = state.instructions + state.passed_over
        if self._guard is not None:
            self.lowest_s = state.lowest_stack

    def _give_signals(self) -> None:
        state, signals = self._state, self.space.signals
        state.known_until = state.open_until = 0
        state.irq_from, state.nmi_at = signals.irq_from, signals.nmi_at
        state.enabled, state.requested = signals.enabled, signals.requested
        state.horizon = self.space.horizon
        if self._chips is not None:
            state.python_due = self.space.python_due()
            state.late, state.late_until = signals.late, signals.late_until
        state.stolen += self.space.take_stolen()
        state.quiet_until = signals.quiet_until(self.space.horizon)

    # Called from compiled code. An exception must not cross it: it is stored, the
    # instruction broken off, and nothing more done until then.

    def _read_call(self, address: int, cycle: int, dummy: int) -> int:
        if self._error is not None:
            return 0
        try:
            value = self.space.read_call(address, cycle, bool(dummy))
            if address in self.space.steady and not dummy:
                self._wait(address, value, cycle)
            self._give_signals()
            self._end_if_changed()
            return value
        except BaseException as error:
            return self._keep(error)

    def _wait(self, address: int, value: int, cycle: int) -> None:
        """Skip the iterations of a loop that waits for another value than this."""
        space = self.space
        if self._recording is not None or self._later is not None or not space.steals:
            return
        loop = mos6502_loop(space, self._state.current_pc, address, value)
        count = iterations(space, loop[0], address, value, cycle, self._state.limit)
        if count > 0:
            again = space.read_call(address, cycle + count * loop[0], dummy=False)
            assert again == value, "a steady device returns the same value"
            space.steal(count * loop[0])
            self._state.passed_over += count * loop[1]

    def _write_call(self, address: int, value: int, cycle: int, dummy: int) -> int:
        if self._error is not None:
            return 1
        try:
            done = self.space.write_call(address, value, cycle, bool(dummy))
            self._give_signals()
            self._end_if_changed()
            return done
        except BaseException as error:
            self._keep(error)
            return 1

    def _signal_call(self, cycle: int) -> None:
        if self._error is not None:
            return
        try:
            self.space.advance(cycle)
            self._give_signals()
            signals = self.space.signals  # a halted CPU makes no other call
            self._state.late, self._state.late_until = signals.late, signals.late_until
            self._end_if_changed()
        except BaseException as error:
            self._keep(error)

    def _acknowledge_call(self, value: int) -> None:
        if self._error is not None:
            return
        try:
            self.space.signals.acknowledge(find_acknowledge_line(self.cpu.name), value)
            self._give_signals()
        except BaseException as error:
            self._keep(error)

    def _end_if_changed(self) -> None:
        """Have compiled code end at the next instruction when it was made for other devices."""
        if self.space.version != self._version:
            self._state.limit = 0

    def _steal_call(self, cycle: int, cycles: int, what: int) -> None:
        told = self.space.on_steal
        if self._error is not None or told is None or cycle == NEVER:
            return
        try:
            told(cycle, cycles, DMA[what])
        except BaseException as error:
            self._keep(error)

    def _hook_call(self, number: int, *arguments: int) -> int:
        if self._error is not None:
            return 0
        try:
            assert self._chips is not None
            result = self._chips.call(number, arguments)
            self._state.stolen += self.space.take_stolen()
            return result
        except BaseException as error:
            return self._keep(error)

    def _keep(self, error: BaseException) -> int:
        self._error = error
        self._state.broken = 1
        return 0


_CALLED = frozenset(
    call.__code__
    for call in (
        LlvmEngine._read_call,
        LlvmEngine._write_call,
        LlvmEngine._signal_call,
        LlvmEngine._acknowledge_call,
        LlvmEngine._steal_call,
        LlvmEngine._hook_call,
    )
)


class Marks:
    """Marks of addresses: compiled code looks for them, and takes them away where it writes (see
    Probing).

    A byte for each address, 1 where there is a mark. ``given`` is what was put last.
    """

    def __init__(self) -> None:
        self._bytes = bytearray(SIZE)
        self.address = buffer_address(self._bytes)
        self.given = b""
        self._some = slice(0)
        self._those = bytearray()

    def put(self, marked: bytes) -> None:
        """Have these marks and no others. Compiled code takes marks away and puts none anywhere, so
        of the same ones as before only the part that has any is put back."""
        if marked is not self.given:
            self._some = slice(max(marked.find(1), 0), marked.rfind(1) + 1)
            self._those = bytearray(marked[self._some])
            self._bytes[:] = self.given = marked
        else:
            self._bytes[self._some] = self._those
