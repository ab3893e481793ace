"""The interpreter as an LLVM module: fetch, one switch over all opcodes, and what is woven in.

::

    head ── prologue ── switch ─┬─ opcode 0 ─┐
     ↑                          ├─ opcode 1 ─┤
     └──── check ←──────────────┴─ …      ←──┘

``check`` looks whether the run ends here: by a bit of ON_FETCH at the program counter or by the
cycle budget. A CPU that is out of the ordinary (halted, interrupted) goes through a second head.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from romproof.engine.instruments import call_kinds
from romproof.engine.llvm.blocks import append_record
from romproof.engine.llvm.body import BodyEmitter
from romproof.engine.llvm.compact import CompactBody
from romproof.engine.llvm.explored import leads_anywhere, note_explored, note_led_to
from romproof.engine.llvm.frame import BYTES, I8, I16, I32, I64, Frame
from romproof.engine.llvm.state import ExitCode
from romproof.engine.llvm.weave import Weave
from romproof.engine.probe import footprint
from romproof.engine.space import OUTSIDE, STOP
from romproof.engine.stack import Move, moves
from romproof.isa.abi import SM83, abi_of
from romproof.isa.algebra import Op, Value, const, input_of, register
from romproof.isa.cpu import Cpu
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.microcode import CpuStop, Microcode, StepKind, specialise

FUNCTION = "run"
_FIELDS = ("cycles", "instructions", "last_pc")
PROBED = ("read_first", "set_registers", "read_marked")


def interpreter(weave: Weave, compact: bool = False) -> ir.Module:
    """A module with the function ``run(state) -> ExitCode`` for a variant.

    ``compact``: what instructions have in common is there once, which is quicker to compile and
    slower to execute.
    """
    module = ir.Module(name=f"{weave.cpu} interpreter")
    function = ir.Function(module, ir.FunctionType(I32, (BYTES,)), FUNCTION)
    _InterpreterBuilder(cpu_named(weave.cpu), weave, function, compact).build()
    return module


class _InterpreterBuilder:
    """The function under construction."""

    def __init__(self, cpu: Cpu, weave: Weave, function: ir.Function, compact: bool) -> None:
        self._cpu, self._weave, self._compact = cpu, weave, compact
        self._function = function
        self._builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._frame = Frame(cpu, function, self._builder)
        self._prologue = self._without_signals(cpu.prologue)
        self._microcode = [self._without_signals(m) for m in cpu.microcode]
        self._moves = moves(cpu)
        self._calls = call_kinds(cpu.name)
        guarded = ("lowest_stack",) if weave.guard else ()
        self._fields = (*_FIELDS, *guarded, *(PROBED if weave.probe else ()))
        self._calls_back = weave.reads or weave.writes or weave.interrupts
        opcodes = self._microcode[: len(cpu.opcodes)]
        self._special = not all(map(cpu.stays_ordinary, opcodes))
        names = ("head", "special", "check", "check_special", "exit", "nowhere")
        self._blocks = {name: function.append_basic_block(name) for name in names}
        self._shared: dict[object, ir.Block] = {}
        self._bodies = [function.append_basic_block(f"m{n}") for n in range(len(self._microcode))]

    def _without_signals(self, microcode: Microcode) -> Microcode:
        """With interrupts off, no line is ever active."""
        if self._weave.interrupts:
            return microcode
        quiet = {
            input_of(number, step.width): const(0, step.width)
            for number, step in enumerate(microcode.steps)
            if step.kind is StepKind.SIGNAL
        }
        return specialise(microcode, quiet)

    def build(self) -> None:
        """Emit everything."""
        self._entry()
        special = register(self._cpu.special, self._cpu.registers[self._cpu.special])
        self._head("head", specialise(self._prologue, {special: const(0, special.width)}))
        if self._special:
            self._head("special", self._prologue)
        else:
            self._at("special").unreachable()
        for number, microcode in enumerate(self._microcode):
            self._body(number, microcode)
        self._check("check")
        self._check("check_special")
        self._at("nowhere").unreachable()
        self._at("exit")
        self._frame.leave(*self._fields)
        self._builder.ret(self._frame.get("code"))

    def _at(self, name: str) -> ir.IRBuilder:
        self._builder.position_at_end(self._blocks[name])
        return self._builder

    def _entry(self) -> None:
        frame = self._frame
        frame.load_pointers(
            store=I8, actions=I8, read_pages=I32, write_pages=I32, counts=I64, spent=I64,
            access=I8, dirty=I8, explored=I8, marked=I8,
            where=I8,
        )  # fmt: skip
        frame.enter(*self._fields)
        for name, value in self._prologue.results:
            frame.declare(f"saved {name}", ir.IntType(value.width))
        frame.declare("elapsed", I64)
        frame.declare("number", I16)
        if self._weave.steals:
            frame.declare("stolen", I64)
        frame.declare("code", I32)
        frame.declare("fetch_mask", I8)
        frame.set("fetch_mask", frame.load("fetch_mask"))
        if not self._calls_back:
            frame.declare("limit", I64)
            frame.set("limit", frame.load("limit"))
        self._branch_to_head()

    def _branch_to_head(self) -> None:
        """Go to the head that fits the state of the CPU."""
        if not self._special:
            self._builder.branch(self._blocks["head"])
            return
        special = self._frame.get(self._cpu.special)
        ordinary = self._builder.icmp_unsigned("==", special, special.type(0))
        self._builder.cbranch(ordinary, self._blocks["head"], self._blocks["special"])

    def _head(self, name: str, prologue: Microcode) -> None:
        """The prologue; what it changes is remembered, as a fault takes it back."""
        self._at(name)
        if name == "special":
            self._rest()
        for changed, _ in self._prologue.results:
            self._frame.set(f"saved {changed}", self._frame.get(changed))
        if self._weave.explore:  # here, as it would be much code behind each instruction
            note_explored(self._frame, self._frame.get("pc"), 1, self._weave.banked)
        if self._weave.steals:
            self._frame.set("stolen", I64(0))
        if self._calls_back:  # Python may ask where we are
            self._frame.store("current_pc", self._frame.get("pc"))
        body = self._new_body(I64(0), self._no_fault)
        results = body.run(prologue)
        assert prologue.next is not None
        following = body.lower(prologue.next) if prologue.next.op is not Op.SELECT else None
        choice = self._choice(body, prologue.next, following)
        self._note_registers(prologue)
        for register_name, value in results.items():
            self._frame.set(register_name, value)
        self._frame.set("elapsed", body.cycles_so_far())
        self._dispatch(prologue.next, choice)

    def _rest(self) -> None:
        """A halted CPU rests until a line may become active: all cycles but the last one at once,
        where nobody wants to know of each."""
        weave, halted = self._weave, abi_of(self._cpu.name).halted
        noted = weave.counts or weave.records or weave.calls
        if halted is None or self._cpu.name != SM83.cpu or not weave.interrupts or noted:
            return  # other CPUs use the bus while they wait
        b, frame = self._builder, self._frame
        name, value = halted
        mode, cycles = frame.get(name), frame.get("cycles")
        quiet, limit = frame.load("quiet_until"), frame.load("limit")
        until = b.select(b.icmp_unsigned("<", quiet, limit), quiet, limit)
        action = b.load(b.gep(frame.pointer("actions"), [b.zext(frame.get("pc"), I64)]))
        rests = b.and_(
            b.icmp_unsigned("==", mode, mode.type(value)),
            b.icmp_unsigned("==", b.and_(action, I8(STOP | OUTSIDE)), I8(0)),
        )
        with b.if_then(b.and_(rests, b.icmp_unsigned(">", until, b.add(cycles, I64(1))))):
            passed = b.sub(b.sub(until, cycles), I64(1))
            frame.set("cycles", b.add(cycles, passed))
            frame.set("instructions", b.add(frame.get("instructions"), passed))

    def _new_body(self, elapsed: Any, fault: Callable[[Any, Any], None]) -> BodyEmitter:
        kind = CompactBody if self._compact else BodyEmitter
        return kind(
            self._frame,
            self._weave,
            elapsed,
            fault,
            broken=lambda: self._break_off(ExitCode.BROKEN),
        )

    def _choice(self, body: BodyEmitter, value: Value, number: Any) -> Any:
        """The LLVM values a dispatch needs, emitted before registers change."""
        if value.op is Op.SELECT:
            condition, then, otherwise = value.args
            return (
                body.lower(condition),
                self._choice(body, then, None),
                self._choice(body, otherwise, None),
            )
        return body.lower(value)

    def _dispatch(self, value: Value, choice: Any) -> None:
        """Go to the microcode whose number is ``value``."""
        b = self._builder
        if value.op is Op.CONST:
            b.branch(self._bodies[value.number])
        elif value.op is Op.SELECT:
            condition, then, otherwise = choice
            _, first, second = value.args
            with b.if_then(condition):
                self._dispatch(first, then)
            self._dispatch(second, otherwise)
        else:
            switch = b.switch(choice, self._blocks["nowhere"])
            for number in _range(value):
                if number < len(self._bodies):
                    switch.add_case(choice.type(number), self._bodies[number])

    def _body(self, number: int, microcode: Microcode) -> None:
        b, frame, cpu = self._builder, self._frame, self._cpu
        b.position_at_end(self._bodies[number])
        if microcode.stop is CpuStop.JAM:
            frame.store("fault_number", I16(number))
            self._break_off(ExitCode.JAM)
            return
        if self._weave.guard and number == cpu.software_interrupt:
            refused = b.icmp_unsigned("!=", frame.load("no_brk"), I8(0))
            with b.if_then(refused, likely=False):
                self._break_off(ExitCode.BRK)
        body = self._new_body(frame.get("elapsed"), self._write_fault)
        results = body.run(microcode)
        choice = self._choice(body, microcode.next, None) if microcode.next is not None else None
        move = self._moves[number]
        if self._weave.guard and move is not None:
            self._check_stack(number, move, results[cpu.stack])
        stack = frame.get(cpu.stack) if self._weave.calls and self._calls[number] else None
        self._note_registers(microcode)
        for name, value in results.items():
            frame.set(name, value)
        if microcode.next is not None:
            frame.set("elapsed", body.cycles_so_far())
            self._dispatch(microcode.next, choice)
            return
        self._end(number, body.cycles_so_far(), stack)

    def _end(self, number: int, elapsed: Any, stack: Any) -> None:
        """Count the instruction, and go on or not; see ``_finish``."""
        cpu, frame, microcode = self._cpu, self._frame, self._microcode[number]
        stops, is_opcode = microcode.stop is CpuStop.STOP, number < len(cpu.opcodes)
        leaves = not is_opcode and self._special
        check = "check" if cpu.stays_ordinary(microcode) and not leaves else "check_special"
        which: Any = I16(number)
        if self._compact and stack is None:
            leads = (leads_anywhere(microcode), is_opcode and cpu.opcodes[number].flow)
            frame.set("elapsed", elapsed)
            frame.set("number", which)
            if not self._is_first((stops, is_opcode, check, leads if self._weave.explore else ())):
                return
            elapsed, which = frame.get("elapsed"), frame.get("number")
        self._finish(number, which, elapsed, stack)
        if stops:
            self._exit(ExitCode.STOPPED)
        else:
            self._builder.branch(self._blocks[check])

    def _is_first(self, meaning: object) -> bool:
        """Whether what follows is to be emitted here: in compact code it is so once, in a block
        that is gone to from now on."""
        if not self._compact:
            return True
        known = self._shared.get(meaning)
        block = known or self._function.append_basic_block("shared")
        self._shared[meaning] = block
        self._builder.branch(block)
        if known is None:
            self._builder.position_at_end(block)
        return known is None

    def _note_registers(self, microcode: Microcode) -> None:
        """What of the registers is read here that nothing has set yet, and what is set."""
        if not self._weave.probe:
            return
        b, frame = self._builder, self._frame
        read, written = footprint(self._cpu, microcode)
        earlier = frame.get("set_registers")
        first = b.and_(I64(read), b.not_(earlier))
        frame.set("read_first", b.or_(frame.get("read_first"), first))
        frame.set("set_registers", b.or_(earlier, I64(written)))

    def _finish(self, number: int, which: Any, elapsed: Any, stack: Any) -> None:
        """The instruction has happened: count it. ``stack`` was the stack pointer, if wanted;
        ``which`` is the number of the microcode for records."""
        b, frame = self._builder, self._frame
        start = frame.get("saved pc")
        if self._weave.steals:
            elapsed = b.add(elapsed, frame.get("stolen"))
        if self._weave.counts:
            place = b.zext(start, I64)
            counted = I64(int(number < len(self._cpu.opcodes)))
            for name, more in (("counts", counted), ("spent", elapsed)):
                cell = b.gep(frame.pointer(name), [place])
                b.store(b.add(b.load(cell), more), cell)
        if self._weave.explore and leads_anywhere(self._microcode[number]):
            opcodes = self._cpu.opcodes[number : number + 1]
            returns = any(opcode.flow is Flow.RETURN for opcode in opcodes)
            note_led_to(frame, frame.get("pc"), returns, self._weave.banked)
        if self._weave.records:
            append_record(frame, "records", which, start)
        if stack is not None:
            moved = b.icmp_unsigned("!=", stack, frame.get(self._cpu.stack))
            with b.if_then(moved):
                append_record(frame, "calls", which, start)
        frame.set("last_pc", start)
        frame.set("cycles", b.add(frame.get("cycles"), elapsed))
        frame.set("instructions", b.add(frame.get("instructions"), I64(1)))

    def _check_stack(self, number: int, move: Move, after: Any) -> None:
        """The conditions of romproof.engine.faults.check_stack."""
        b, frame = self._builder, self._frame
        before = frame.get(self._cpu.stack)
        moved = b.icmp_unsigned("!=", before, after)
        top = frame.load("stack_top")
        if after.type.width < 16:
            top = b.trunc(top, after.type)
        if move is Move.PUSH:
            wrong = b.icmp_unsigned(">", after, before)
        else:
            wrong = b.icmp_unsigned(">", after, top)
        if move is Move.PULL:
            wrong = b.or_(wrong, b.icmp_unsigned("<", after, before))
        with b.if_then(b.and_(moved, wrong), likely=False):
            frame.store("fault_number", I16(number))
            frame.store("fault_stack", after)
            self._break_off(ExitCode.STACK)
        lowest = frame.get("lowest_stack")
        wide = b.zext(after, I16) if after.type.width < 16 else after
        lower = b.and_(moved, b.icmp_unsigned("<", wide, lowest))
        frame.set("lowest_stack", b.select(lower, wide, lowest))

    def _check(self, name: str) -> None:
        b, frame = self._at(name), self._frame
        place = b.zext(frame.get("pc"), I64)
        action = b.load(b.gep(frame.pointer("actions"), [place]))
        here = b.icmp_unsigned("!=", b.and_(action, frame.get("fetch_mask")), I8(0))
        with b.if_then(here, likely=False):
            self._exit(ExitCode.FETCH)
        limit = frame.load("limit") if self._calls_back else frame.get("limit")
        with b.if_then(b.icmp_unsigned(">=", frame.get("cycles"), limit), likely=False):
            self._exit(ExitCode.LIMIT)
        for where in ("records", "calls"):
            if not getattr(self._weave, where):
                continue
            full = b.icmp_unsigned(">=", frame.load(where), frame.load(f"{where}_end"))
            with b.if_then(full, likely=False):
                self._exit(ExitCode.RECORDS)
        if name == "check":
            b.branch(self._blocks["head"])
        else:
            self._branch_to_head()

    def _exit(self, code: ExitCode) -> None:
        self._frame.set("code", I32(code))
        self._builder.branch(self._blocks["exit"])

    def _break_off(self, code: ExitCode) -> None:
        """Leave as if the instruction had not begun."""
        if not self._is_first(code):
            return
        for name, _ in self._prologue.results:
            self._frame.set(name, self._frame.get(f"saved {name}"))
        self._exit(code)

    def _write_fault(self, address: Any, value: Any) -> None:
        self._frame.store("fault_address", address)
        self._frame.store("fault_value", value)
        self._break_off(ExitCode.ROM_WRITE)

    def _no_fault(self, address: Any, value: Any) -> None:
        raise AssertionError("a prologue does not write")


def _range(value: Value) -> range:
    """All numbers an expression can have: those of its unknown low bits."""
    if value.op is Op.CONCAT and value.args[0].op is Op.CONST:
        high, low = value.args
        return range(high.number << low.width, (high.number + 1) << low.width)
    return range(1 << value.width)
