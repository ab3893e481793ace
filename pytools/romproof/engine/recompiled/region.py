"""One region of the code as an LLVM function: its instructions chained to each other.

Every straight line of instructions is a block; blocks go directly to the blocks that follow.
The cycle budget is checked on jumps backwards and where a target is only known at run time.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from typing import Any

from llvmlite import ir

from romproof.engine.llvm.body import BodyEmitter
from romproof.engine.llvm.frame import I1, I8, I16, I32, I64, Frame
from romproof.engine.llvm.interpreter import PROBED
from romproof.engine.llvm.weave import Weave
from romproof.engine.probe import footprint
from romproof.engine.recompiled.accesses import PlacedBody, may_ask
from romproof.engine.recompiled.discover import DiscoveredCode, PlacedInstruction
from romproof.engine.recompiled.line import LineBuilder
from romproof.engine.recompiled.loops import table_of
from romproof.engine.stack import Move, moves
from romproof.isa.algebra import Op, Value
from romproof.isa.cpu import Cpu


class RegionExit(IntEnum):
    """Why a region's function came back. The program counter says where to go on."""

    GO_ON = 0
    INTERPRET = 1
    """The instruction there must be executed by the interpreter."""
    CHANGED = 2
    """Something may come before it: the interpreter looks, unless the run ends there."""


def emit_region(
    cpu: Cpu, weave: Weave, code: DiscoveredCode, actions: bytes, function: ir.Function
) -> None:
    """Fill ``function(state) -> RegionExit`` with the instructions of ``code``.

    ``actions`` is what the address space asks for at each address; where it has ENTRY that is to
    be looked up on the way. The function must be
    entered at one of ``code.heads``; it ends when ``cycles`` reaches ``bound``, or at most
    ``longest_run(weave, code)`` cycles later.
    """
    _RegionBuilder(cpu, weave, code, actions, function).build()


MAX_BLIND, MAX_BLIND_BEFORE_EVENTS = 40, 16
"""Cycles after which translated code looks at the budget at the latest: so close to the end it
leaves the rest to the interpreter. Where devices have events, it does so before each of them."""


def most_blind(weave: Weave) -> int:
    """See MAX_BLIND."""
    return MAX_BLIND_BEFORE_EVENTS if weave.interrupts else MAX_BLIND


def longest_run(weave: Weave, code: DiscoveredCode) -> int:
    """The most cycles translated code takes without looking at the budget."""
    return max([most_blind(weave), *(placed.cycles for placed in code.placed.values())])


def _looks_before(code: DiscoveredCode, most: int) -> set[int]:
    """The instructions before which it looks on the way forwards."""
    longest: dict[int, int] = {}
    looks: set[int] = set()
    for address in sorted(code.placed, reverse=True):
        instruction = code.placed[address]
        ahead = {t for t in instruction.targets or () if t > address and t in longest} - looks
        run = instruction.cycles + max((longest[t] for t in ahead), default=0)
        if run > most:
            looks |= ahead
            run = instruction.cycles
        longest[address] = run
    return looks


class _RegionBuilder:
    """The function under construction."""

    def __init__(
        self, cpu: Cpu, weave: Weave, code: DiscoveredCode, actions: bytes, function: ir.Function
    ) -> None:
        self._cpu, self._code, self._actions = cpu, code, actions
        self._weave = weave
        self._builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._frame = Frame(cpu, function, self._builder)
        self._moves = moves(cpu)
        guarded = ("lowest_stack",) if weave.guard else ()
        self._fields = (
            "cycles", "instructions", "last_pc", *guarded, *(PROBED if weave.probe else ()),
        )  # fmt: skip
        self._looks = _looks_before(code, most_blind(weave))
        names = ("dispatch", "leave", "quit", "changed")
        self._blocks = {name: function.append_basic_block(name) for name in names}
        self._lines = {
            address: function.append_basic_block(f"a{address:04x}")
            for address in sorted(line_starts(code) | self._looks)
        }

    def build(self) -> None:
        """Emit everything."""
        b, frame = self._builder, self._frame
        frame.load_pointers(
            store=I8,
            actions=I8,
            read_pages=I32,
            write_pages=I32,
            access=I8,
            dirty=I8,
            marked=I8,
        )
        frame.enter(*self._fields)
        frame.declare("bound", I64)
        frame.set("bound", frame.load("bound"))
        frame.declare("changed", I1)
        frame.declare("stolen", I64)
        frame.set("stolen", I64(0))
        self._go("dispatch")
        self._at("dispatch")
        switch = b.switch(frame.get("pc"), self._blocks["leave"])
        for head in sorted(self._code.heads):
            switch.add_case(I16(head), self._lines[head])
        for address in self._lines:
            self._line(address)
        for name, left in (
            ("leave", RegionExit.GO_ON),
            ("quit", RegionExit.INTERPRET),
            ("changed", RegionExit.CHANGED),
        ):
            self._at(name)
            frame.leave(*self._fields)
            b.ret(I32(left))

    def _at(self, name: str) -> None:
        self._builder.position_at_end(self._blocks[name])

    def _go(self, name: str) -> None:
        self._builder.branch(self._blocks[name])

    def _line(self, address: int) -> None:
        """The instructions from ``address`` up to the next one others can come to."""
        self._builder.position_at_end(self._lines[address])
        line = LineBuilder(self._frame)
        instruction = self._code.placed[address]
        jump = self._instruction(line, instruction)
        while (following := follower(instruction)) is not None:
            if following in self._lines or following not in self._code.placed:
                break
            instruction = self._code.placed[following]
            jump = self._instruction(line, instruction)
        line.flush()
        self._jump(instruction, instruction.target, jump)

    def _instruction(self, line: LineBuilder, instruction: PlacedInstruction) -> Any:
        """One instruction; gives the LLVM values its jump needs."""
        b = self._builder
        cycles, more, asks = 1, I64(0), False
        results: dict[str, Any] = {}
        self._frame.set("changed", I1(0))
        asking = may_ask(self._cpu, self._weave, instruction)
        loop = table_of(self._cpu.name, self._code.placed, self._actions, instruction)
        for part, steps in zip(instruction.parts, asking, strict=True):
            place = (instruction.address, cycles)
            body = PlacedBody(
                self._frame, self._weave, line, self._actions, steps, place,
                lambda: self._quit(line, instruction), loop,
            )  # fmt: skip
            results = body.run(part)
            cycles += body.fixed
            more = body.conditional
            asks |= body.asks
        jump = self._conditions(body, instruction.target)
        after = results.get(self._cpu.stack)
        if self._weave.guard and after is not None:
            self._check_stack(line, instruction, after)
        for name, value in results.items():
            if name != "pc":
                line.set(name, value)
        if self._weave.probe:
            for part in instruction.parts:
                line.note(*footprint(self._cpu, part))
        line.cycles += cycles
        line.instructions += 1
        if not isinstance(more, ir.Constant):
            line.more = more if line.more is None else b.add(line.more, more)
        if asks:
            self._leave_if_changed(line, instruction)
        return jump

    def _leave_if_changed(self, line: LineBuilder, instruction: PlacedInstruction) -> None:
        """A device has changed when something may come, or has taken so many cycles, which are
        this instruction's, that it may come now: to be looked at before the next one."""
        b, frame = self._builder, self._frame
        stolen = frame.get("stolen")
        has_stolen = b.icmp_unsigned("!=", stolen, I64(0))
        with b.if_then(b.or_(frame.get("changed"), has_stolen), likely=False):
            frame.set("cycles", b.add(frame.get("cycles"), stolen))
            frame.set("stolen", I64(0))
            cycles = b.add(frame.get("cycles"), I64(line.cycles))
            cycles = cycles if line.more is None else b.add(cycles, line.more)
            late = b.icmp_unsigned(">=", cycles, frame.get("bound"))
            with b.if_then(b.or_(frame.get("changed"), late)):
                line.flush()
                frame.set("last_pc", I16(instruction.address))
                frame.set("pc", I16(instruction.target.number))
                known = instruction.target.number in self._code.heads
                self._go("leave" if known else "changed")

    def _conditions(self, body: BodyEmitter, target: Value) -> Any:
        """The LLVM values that choose among targets, emitted before registers change."""
        if target.op is Op.CONST:
            return None
        if target.op is Op.SELECT:
            condition, then, otherwise = target.args
            return (
                body.lower(condition),
                self._conditions(body, then),
                self._conditions(body, otherwise),
            )
        return body.lower(target)

    def _jump(self, instruction: PlacedInstruction, target: Value, jump: Any) -> None:
        b, frame = self._builder, self._frame
        if target.op is Op.SELECT:
            condition, then, otherwise = jump
            with b.if_then(condition):
                self._jump(instruction, target.args[1], then)
            self._jump(instruction, target.args[2], otherwise)
            return
        line = self._lines.get(target.number) if target.op is Op.CONST else None
        ahead = target.op is Op.CONST and target.number > instruction.address
        if line is not None and ahead and target.number not in self._looks:
            b.branch(line)
            return
        within = b.icmp_unsigned("<", frame.get("cycles"), frame.get("bound"))
        if line is not None:
            with b.if_then(within, likely=True):
                b.branch(line)
        frame.set("last_pc", I16(instruction.address))
        if target.op is Op.CONST:
            frame.set("pc", I16(target.number))
            self._go("leave")
        else:
            frame.set("pc", jump)
            b.cbranch(within, self._blocks["dispatch"], self._blocks["leave"])

    def _check_stack(self, line: LineBuilder, instruction: PlacedInstruction, after: Any) -> None:
        """As in the interpreter, which reports what is wrong."""
        b, frame = self._builder, self._frame
        before, top = line.get(self._cpu.stack), frame.load("stack_top")
        if after.type.width < 16:
            top = b.trunc(top, after.type)
        wrong = b.icmp_unsigned(">", after, top)
        if self._moves[instruction.number] is Move.PUSH:
            wrong = b.or_(wrong, b.icmp_unsigned(">", after, before))
        moved = b.icmp_unsigned("!=", before, after)
        with b.if_then(b.and_(moved, wrong), likely=False):
            self._quit(line, instruction)
        lowest = frame.get("lowest_stack")
        wide = b.zext(after, I16) if after.type.width < 16 else after
        lower = b.and_(moved, b.icmp_unsigned("<", wide, lowest))
        frame.set("lowest_stack", b.select(lower, wide, lowest))

    def _quit(self, line: LineBuilder, instruction: PlacedInstruction) -> None:
        """Let the interpreter execute this instruction: nothing of it counts so far."""
        line.flush()
        self._frame.set("pc", I16(instruction.address))
        self._go("quit")


def follower(instruction: PlacedInstruction) -> int | None:
    """The one instruction that comes next; None when that is not sure, or lies behind."""
    targets = instruction.targets
    if targets is None or len(targets) != 1 or targets[0] <= instruction.address:
        return None
    return targets[0]


def line_starts(code: DiscoveredCode) -> set[int]:
    """The instructions that can be come to from outside or from more than one other."""
    entries: Counter[int] = Counter()
    for instruction in code.placed.values():
        for target in set(instruction.targets or ()):
            entries[target] += 1 if target == follower(instruction) else 2
    return set(code.heads) | {a for a in code.placed if entries[a] > 1}
