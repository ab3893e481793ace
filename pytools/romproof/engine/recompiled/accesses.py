"""What translated code does at addresses that are more than memory.

Where devices are compiled they are asked in place, as the interpreter asks them. Most answers
change nothing but a register. If the answer, or what was written, changes when the next interrupt
or event may come or switches the bank that is executed, translated code is left behind the
instruction; and if it takes so many cycles from the CPU that something may come now. What cannot be
done like that is left to the interpreter before the instruction
(docs/decisions/0052-translated-code-asks-devices.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.body import BodyEmitter
from romproof.engine.llvm.frame import BYTES, I1, I8, I16, I32, I64, Frame
from romproof.engine.llvm.special import cell, is_known, passes, special_read, special_write
from romproof.engine.llvm.weave import Weave
from romproof.engine.recompiled.discover import PlacedInstruction
from romproof.engine.recompiled.line import LineBuilder
from romproof.engine.space import ENTRY, ON_READ, ON_WRITE, READ_CALL
from romproof.engine.stack import moves
from romproof.isa.algebra import Op, Value
from romproof.isa.cpu import Cpu
from romproof.isa.microcode import MicroStep, StepKind

CHANGED, REFUSED = 1, 2
"""What ``ask_to_read`` and ``ask_to_write`` tell: whether translated code has to be left behind the
instruction; whether the interpreter has to execute it, which finds what is wrong."""
_COMPARED = ("quiet_until", "horizon", "limit")


def may_ask(cpu: Cpu, weave: Weave, instruction: PlacedInstruction) -> list[frozenset[int]]:
    """For each part of an instruction the steps that may ask devices in place: those behind the
    last one that looks at interrupt lines, of an instruction that is not prefixed, goes on at one
    place and leaves the stack alone, as hardly any stack is a device."""
    parts = instruction.parts
    jumps = instruction.target.op is not Op.CONST or moves(cpu)[instruction.number] is not None
    if not weave.chips or jumps or len(parts) > 1:
        return [frozenset() for _ in parts]
    first = 1 + _last_look(cpu.microcode[instruction.number].steps)
    return [frozenset(range(first, len(parts[0].steps)))]


def _last_look(steps: tuple[MicroStep, ...]) -> int:
    return max((n for n, step in enumerate(steps) if step.kind is StepKind.SIGNAL), default=-1)


@lru_cache(maxsize=4096)
def _any_special(actions: bytes, least: int, greatest: int, bits: int) -> bool:
    """Whether an address from one to another asks for any of ``bits``. Most ranges are asked about
    again and again: all of a page, all of memory."""
    return any(action & bits for action in set(actions[least : greatest + 1]))


def _special(kind: StepKind) -> int:
    """The bits of ``actions`` for which an access is more than memory."""
    if kind is StepKind.DUMMY_READ:
        return READ_CALL  # as there: it is no read of what was never written
    return ON_READ if kind.is_read else ON_WRITE


class PlacedBody(BodyEmitter):
    """A microcode in place: an address that is known is looked up now, not at run time.

    ``before`` are the cycles of the instruction up to the microcode, ``asking`` the steps that may
    ask devices in place. ``leave`` emits that the interpreter executes the instruction. ``loop`` is
    what devices are told of the loop that it begins (loops.py). ``asks`` says afterwards whether
    any step asks; the variable ``changed``, whether that changed anything.
    """

    def __init__(
        self,
        frame: Frame,
        weave: Weave,
        line: LineBuilder,
        actions: bytes,
        asking: frozenset[int],
        place: tuple[int, int],
        leave: Callable[[], None],
        loop: bytes | None,
    ) -> None:
        self._bare = replace(weave, reads=False, writes=False, interrupts=False, steals=False)
        super().__init__(frame, self._bare, I64(0), lambda address, value: None, line.get)
        self._whole = weave
        self._line, self._actions, self._asking = line, actions, asking
        self._address, self._before = place
        self._leave = leave
        self._loop = loop
        self._number = -1
        self.asks = False

    def _step(self, number: int, step: MicroStep) -> None:
        self._number = number
        super()._step(number, step)

    def now(self) -> Any:
        """See Body: with the line so far."""
        b, line = self.builder, self._line
        now = b.add(self.frame.get("cycles"), I64(line.cycles + self._before))
        if line.more is not None:
            now = b.add(now, line.more)
        now = b.add(now, self.cycles_so_far())
        return b.add(now, self.frame.get("stolen")) if self._whole.steals else now

    def _does_nothing(self, step: MicroStep) -> bool:
        """See Body. A dummy read of a device is more than time: the device is asked, and what it
        does then (acknowledge, count on) can be seen."""
        if step.kind is StepKind.DUMMY_READ:
            return not self._may_be_special(step)
        return super()._does_nothing(step)

    def _may_be_special(self, step: MicroStep) -> bool:
        """Whether an access may be more than one to memory."""
        assert step.address is not None
        return _any_special(self._actions, *_bounds(step.address), _special(step.kind))

    def _act(self, step: MicroStep) -> Any:
        if not (step.kind.is_read or step.kind.is_write) or self._does_nothing(step):
            return None
        assert step.address is not None
        if not self._may_be_special(step):
            return super()._act(step)
        if self._number in self._asking:
            self.asks = True
            self.weave = replace(self._bare, reads=True, writes=True)
            try:
                return super()._act(step)
            finally:
                self.weave = self._bare
        least, greatest = _bounds(step.address)
        if least == greatest and not self._actions[least] & ENTRY:
            self._leave()
            self.builder.position_at_end(self.frame.function.append_basic_block("dead"))
        else:
            here = self._has_action(self.lower(step.address), _special(step.kind))
            with self.builder.if_then(here, likely=False):
                self._leave()
        return super()._act(step)

    def _ask(self, function: ir.Function, *arguments: Any) -> Any:
        """Ask a device; what it tells, as REFUSED and CHANGED say, above the byte."""
        b, frame = self.builder, self.frame
        b.store(I16(self._address), frame.field("current_pc"))
        answer = b.call(function, [frame.function.args[0], *arguments])
        flags = b.lshr(answer, I16(8))
        refused = b.icmp_unsigned("!=", b.and_(flags, I16(REFUSED)), I16(0))
        with b.if_then(refused, likely=False):
            self._leave()
        changed = b.trunc(b.and_(flags, I16(CHANGED)), I1)
        frame.set("changed", b.or_(frame.get("changed"), changed))
        if self._whole.steals:
            frame.set("stolen", b.add(frame.get("stolen"), frame.load("stolen")))
            frame.store("stolen", I64(0))
        return b.trunc(answer, I8)

    def _read_specially(self, address: Any, dummy: bool) -> Any:
        module = self.frame.function.module
        loop = I64(0) if self._loop is None else _constant(module, self._loop)
        function = ask_to_read(module, self.frame.cpu)
        return self._ask(function, address, self.now(), I8(int(dummy)), loop)

    def _write_specially(self, address: Any, value: Any, dummy: bool) -> None:
        function = ask_to_write(self.frame.function.module, self.frame.cpu, self._whole.paged)
        place = I16(self._address)
        self._ask(function, address, value, self.now(), I8(int(dummy)), place)


def _constant(module: ir.Module, data: bytes) -> Any:
    """The address of some bytes."""
    name = f"bytes {data.hex()}"
    there = module.globals.get(name)
    if there is None:
        kind = ir.ArrayType(I8, len(data))
        there = ir.GlobalVariable(module, kind, name)
        there.global_constant, there.linkage = True, "internal"
        there.initializer = ir.Constant(kind, bytearray(data))
    return there.ptrtoint(I64)


def ask_to_read(module: ir.Module, cpu: Cpu) -> ir.Function:
    """``ask_to_read(state, address, cycle, dummy, loop)``: the byte, above it what has changed."""
    known: ir.Function | None = module.globals.get("ask_to_read")
    if known is not None:
        return known
    kind = ir.FunctionType(I16, (BYTES, I16, I64, I8, I64))
    function, frame, before = _asking(module, cpu, "ask_to_read", kind)
    b = frame.builder
    *given, loop = function.args
    _state, address, cycle, _dummy = given
    with b.if_then(is_known(frame, address, cycle)):
        b.ret(b.zext(frame.load("known_value"), I16))
    frame.store("loop", loop)
    byte = b.call(special_read(module, cpu, chips=True), given)
    frame.store("loop", I64(0))
    b.ret(b.or_(b.zext(byte, I16), _changes(frame, before, I1(0))))
    return function


def ask_to_write(module: ir.Module, cpu: Cpu, paged: bool) -> ir.Function:
    """``ask_to_write(state, address, value, cycle, dummy, pc)``: what has changed, above a byte."""
    known: ir.Function | None = module.globals.get("ask_to_write")
    if known is not None:
        return known
    kind = ir.FunctionType(I16, (BYTES, I16, I8, I64, I8, I16))
    function, frame, before = _asking(module, cpu, "ask_to_write", kind)
    b = frame.builder
    *given, pc = function.args
    _state, address, value, cycle, _dummy = given
    frame.load_pointers(store=I8, actions=I8, read_pages=I32, write_pages=I32)
    action = b.load(b.gep(frame.pointer("actions"), [b.zext(address, I64)]))
    with b.if_then(passes(frame, action, address, cycle)):
        b.store(value, cell(frame, address, "write_pages", paged))
        b.ret(I16(0))
    page = b.gep(frame.pointer("read_pages"), [b.zext(b.lshr(pc, I16(8)), I64)])
    executed = b.load(page)
    done = b.call(special_write(module, cpu, paged, chips=True), given)
    switched = b.icmp_unsigned("!=", executed, b.load(page))
    answer = _changes(frame, before, switched)
    fault = b.icmp_unsigned("==", done, I8(0))
    b.ret(b.or_(answer, b.select(fault, I16(REFUSED << 8), I16(0))))
    return function


def _asking(
    module: ir.Module, cpu: Cpu, name: str, kind: ir.FunctionType
) -> tuple[ir.Function, Frame, list[Any]]:
    """A function under construction, and what ``_COMPARED`` is before the device is asked."""
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    frame = Frame(cpu, function, ir.IRBuilder(function.append_basic_block("entry")))
    return function, frame, [frame.load(field) for field in _COMPARED]


def _changes(frame: Frame, before: list[Any], changed: Any) -> Any:
    b = frame.builder
    for field, value in zip(_COMPARED, before, strict=True):
        changed = b.or_(changed, b.icmp_unsigned("!=", frame.load(field), value))
    changed = b.or_(changed, b.icmp_unsigned("!=", frame.load("modified"), I8(0)))
    broken = b.icmp_unsigned("!=", frame.load("broken"), I8(0))
    flags = b.select(changed, I16(CHANGED << 8), I16(0))
    return b.or_(flags, b.select(broken, I16(REFUSED << 8), I16(0)))


def _bounds(value: Value) -> tuple[int, int]:
    """The least and the greatest number a value can be, or wider: enough to know what memory an
    access can reach."""
    top = (1 << value.width) - 1
    match value:
        case Value(op=Op.CONST, number=number):
            return number, number
        case Value(op=Op.CONCAT, args=(high, low)):
            (least, greatest), (low_least, low_greatest) = _bounds(high), _bounds(low)
            return least << low.width | low_least, greatest << low.width | low_greatest
        case Value(op=Op.SELECT, args=(_, then, otherwise)):
            (a, b), (c, d) = _bounds(then), _bounds(otherwise)
            return min(a, c), max(b, d)
        case Value(op=Op.ADD, args=(one, other)):
            (a, b), (c, d) = _bounds(one), _bounds(other)
            return (a + c, b + d) if b + d <= top else (0, top)
        case Value(op=Op.AND, args=(one, other)):
            return 0, min(_bounds(one)[1], _bounds(other)[1])
    return 0, top
