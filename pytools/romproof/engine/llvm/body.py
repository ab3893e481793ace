"""One microcode as LLVM instructions: bus cycles, faults, and the registers afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from romproof.engine.instruments import EXECUTED, READ, WRITTEN
from romproof.engine.llvm.frame import I1, I8, I16, I64, Frame
from romproof.engine.llvm.lower import ValueLowering
from romproof.engine.llvm.special import cell, special_read, special_signal, special_write
from romproof.engine.llvm.weave import Weave
from romproof.engine.space import ON_READ, ON_WRITE, READ_CALL
from romproof.isa.microcode import Microcode, MicroStep, StepKind


class BodyEmitter:
    """Emits a microcode at the builder's position.

    ``elapsed`` is the number of cycles the instruction has taken before; ``fixed`` counts those
    that were added without a condition. ``fault`` emits the exit after a write that is not
    allowed; it gets the address and the value. ``register`` gives what a register holds, the
    local variable when not given. ``broken`` emits the exit after Python has failed.
    """

    def __init__(
        self,
        frame: Frame,
        weave: Weave,
        elapsed: Any,
        fault: Callable[[Any, Any], None],
        register: Callable[[str], Any] | None = None,
        broken: Callable[[], None] | None = None,
    ) -> None:
        self.frame = frame
        self.builder = frame.builder
        self.weave = weave
        self.lower = ValueLowering(frame.builder, register or frame.get)
        self.fixed = 0
        self._elapsed = elapsed
        self._fault = fault
        self._broken = broken
        self._unchecked = False

    def run(self, microcode: Microcode) -> dict[str, Any]:
        """All steps; what the registers become."""
        for number, step in enumerate(microcode.steps):
            self._step(number, step)
        self._check_broken()
        return {name: self.lower(value) for name, value in microcode.results}

    def cycles_so_far(self) -> Any:
        """The cycles the instruction has taken up to here."""
        return self.builder.add(self._elapsed, I64(self.fixed))

    @property
    def conditional(self) -> Any:
        """The cycles that were added under conditions, with those at the start; see ``fixed``."""
        return self._elapsed

    def now(self) -> Any:
        """The cycles that have passed up to here, since the engine was made."""
        now = self.builder.add(self.frame.get("cycles"), self.cycles_so_far())
        return self.builder.add(now, self.frame.get("stolen")) if self.weave.steals else now

    def _count_stolen(self) -> None:
        """Add the cycles that Python has taken to those of the instruction."""
        if self.weave.steals:
            frame = self.frame
            frame.set("stolen", self.builder.add(frame.get("stolen"), frame.load("stolen")))
            frame.store("stolen", I64(0))

    def _step(self, number: int, step: MicroStep) -> None:
        if step.kind is StepKind.ACKNOWLEDGE and not step.signal:
            return
        if step.when is None:
            result = self._act(step)
            self.fixed += step.kind.is_cycle
        else:
            result = self._conditional(step)
        if step.width:
            self.lower.inputs[number] = result

    def _conditional(self, step: MicroStep) -> Any:
        """The step where its condition holds; 0 where it does not."""
        b = self.builder
        when = self.lower(step.when)  # type: ignore[arg-type]
        for value in (step.address, step.value):  # before the branch: later steps may use them
            if value is not None:
                self.lower(value)
        if self._does_nothing(step):
            self._elapsed = (
                b.add(self._elapsed, b.zext(when, I64)) if step.kind.is_cycle else self._elapsed
            )
            return ir.IntType(step.width)(0) if step.width else None
        before, unchecked = b.block, self._unchecked
        with b.if_then(when):
            result = self._act(step)
            inside = b.block
        self._unchecked |= unchecked  # what was checked inside was not on the other path
        both = None
        if result is not None:  # a phi must be the first in its block
            both = b.phi(result.type)
            both.add_incoming(result.type(0), before)
            both.add_incoming(result, inside)
        if step.kind.is_cycle:
            self._elapsed = b.add(self._elapsed, b.zext(when, I64))
        return both

    def _does_nothing(self, step: MicroStep) -> bool:
        """Whether the step is only time."""
        unseen = step.kind is StepKind.DUMMY_READ and not self.weave.reads
        return (
            unseen
            or step.kind is StepKind.IDLE
            or (step.kind in (StepKind.SIGNAL, StepKind.ACKNOWLEDGE) and not self.weave.interrupts)
        )

    def _act(self, step: MicroStep) -> Any:
        if self._does_nothing(step):
            return ir.IntType(step.width)(0) if step.width else None
        if step.kind is StepKind.SIGNAL:
            return self._signal(step.signal, step.width)
        assert step.kind is StepKind.ACKNOWLEDGE or step.address is not None
        if step.kind is StepKind.ACKNOWLEDGE:
            value = self.lower(step.value)  # type: ignore[arg-type]
            return self._acknowledge(value)
        address = self.lower(step.address)  # type: ignore[arg-type]
        if step.kind.is_read:
            return self.read(address, step.kind)
        return self._write(address, self.lower(step.value), step.kind)  # type: ignore[arg-type]

    def read(self, address: Any, kind: StepKind) -> Any:
        """The byte at an address."""
        byte = self._read(address, kind is StepKind.DUMMY_READ)
        if self.weave.access and kind is not StepKind.DUMMY_READ:
            executed = kind in (StepKind.FETCH, StepKind.OPERAND)
            self._note_access(address, EXECUTED if executed else READ)
        if self.weave.probe and kind is not StepKind.DUMMY_READ:
            b, frame = self.builder, self.frame
            marked = b.load(b.gep(frame.pointer("marked"), [b.zext(address, I64)]))
            frame.set("read_marked", b.or_(frame.get("read_marked"), marked))
        return byte

    def _read(self, address: Any, dummy: bool) -> Any:
        b = self.builder
        if not self.weave.reads:
            return b.load(self._cell(address, "read_pages"))
        special = self._has_action(address, READ_CALL if dummy else ON_READ)
        with b.if_else(special, likely=False) as (slow, fast):
            with slow:
                called = self._read_specially(address, dummy)
                slow_end = b.block
            with fast:
                loaded = b.load(self._cell(address, "read_pages"))
                fast_end = b.block
        byte = b.phi(I8)
        byte.add_incoming(called, slow_end)
        byte.add_incoming(loaded, fast_end)
        return byte

    def _read_specially(self, address: Any, dummy: bool) -> Any:
        """A read that a device or Python decides about."""
        self._unchecked = True
        function = special_read(self.frame.function.module, self.frame.cpu, self.weave.chips)
        state = self.frame.function.args[0]
        called = self.builder.call(function, [state, address, self.now(), I8(int(dummy))])
        self._count_stolen()
        return called

    def _write(self, address: Any, value: Any, kind: StepKind) -> None:
        dummy = kind is StepKind.DUMMY_WRITE
        self._put(address, value, dummy)
        if self.weave.access and not dummy:
            self._note_access(address, WRITTEN)
        if self.weave.probe:
            b = self.builder
            b.store(I8(0), b.gep(self.frame.pointer("marked"), [b.zext(address, I64)]))

    def _put(self, address: Any, value: Any, dummy: bool) -> None:
        b = self.builder
        self._check_broken()
        if self.weave.dirty:
            page = b.zext(b.lshr(address, I16(8)), I64)
            b.store(I8(1), b.gep(self.frame.pointer("dirty"), [page]))
        if not self.weave.writes:
            b.store(value, self._cell(address, "write_pages"))
            return
        special = self._has_action(address, ON_WRITE)
        with b.if_else(special, likely=False) as (slow, fast):
            with slow:
                self._write_specially(address, value, dummy)
            with fast:
                b.store(value, self._cell(address, "write_pages"))

    def _write_specially(self, address: Any, value: Any, dummy: bool) -> None:
        """A write that changes translated code, or one that Python decides about."""
        b = self.builder
        self._unchecked = True
        function = special_write(
            self.frame.function.module, self.frame.cpu, self.weave.paged, self.weave.chips
        )
        state = self.frame.function.args[0]
        done = b.call(function, [state, address, value, self.now(), I8(int(dummy))])
        with b.if_then(b.icmp_unsigned("==", done, I8(0)), likely=False):
            self._fault(address, value)
        self._count_stolen()

    def _cell(self, address: Any, pages: str) -> Any:
        return cell(self.frame, address, pages, self.weave.paged)

    def _has_action(self, address: Any, bits: int) -> Any:
        b = self.builder
        action = b.load(b.gep(self.frame.pointer("actions"), [b.zext(address, I64)]))
        return b.icmp_unsigned("!=", b.and_(action, I8(bits)), I8(0))

    def _note_access(self, address: Any, bit: int) -> None:
        b = self.builder
        cell = b.gep(self.frame.pointer("access"), [b.zext(address, I64)])
        b.store(b.or_(b.load(cell), I8(bit)), cell)

    def _signal(self, line: str, width: int) -> Any:
        """The state of an interrupt line now: 0, unless it is time to look more closely."""
        b, now = self.builder, self.now()
        late = b.icmp_unsigned(">=", now, self.frame.load("quiet_until"))
        quiet = b.block
        with b.if_then(late, likely=False):
            self._unchecked = True
            function = special_signal(
                self.frame.function.module, self.frame.cpu, line, width, self.weave.chips
            )
            result = b.call(function, [self.frame.function.args[0], now])
            self._count_stolen()
            looked = b.block
        state = b.phi(result.type)
        state.add_incoming(result.type(0), quiet)
        state.add_incoming(result, looked)
        return state

    def _acknowledge(self, value: Any) -> None:
        b = self.builder
        if value.type == I1:
            with b.if_then(value):
                self._call("acknowledge_call", I8(1))
        else:
            self._call("acknowledge_call", value)

    def _call(self, name: str, *args: Any) -> Any:
        """Call back into Python, which may ask where we are."""
        self._unchecked = True
        return self.frame.ask(self.weave.chips, name, *args)

    def _check_broken(self) -> None:
        """Leave when Python has failed: before memory is written, and before registers change.

        This need not come right after the call: once it has failed, Python does no more.
        """
        if self._broken is None or not self._unchecked:
            return
        self._unchecked = False
        failed = self.builder.icmp_unsigned("!=", self.frame.load("broken"), I8(0))
        with self.builder.if_then(failed, likely=False):
            self._broken()
