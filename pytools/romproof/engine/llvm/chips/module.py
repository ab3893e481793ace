"""A module with the chips of an address space: what is called in place of Python."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir

from romproof.engine.chips import Chip
from romproof.engine.devices import let_writes_pass
from romproof.engine.llvm.chips.chip_parts import ChipParts
from romproof.engine.llvm.chips.expressions import ExpressionEmitter
from romproof.engine.llvm.chips.statements import Statements
from romproof.engine.llvm.chips.values import KnownValue, Method, NotCompiled, number
from romproof.engine.llvm.chips.waits import pass_over
from romproof.engine.llvm.frame import BYTES, I8, I16, I64, Frame
from romproof.engine.llvm.waiting import LONGEST, mos6502_loop, sm83_loop
from romproof.engine.space import DMA, PROTECTED, READ_CALL, WRITE_CALL, AddressSpace, Signals
from romproof.isa.cpu import Cpu

ENTRIES = "entries"
"""The function that tells where the others are: ``entries(table)``."""
NAMES = ("chip_read", "chip_write", "chip_signal", "chip_acknowledge")
"""The functions, in the order of the table."""
_LOOPS = {"sm83": (sm83_loop, 2), "ricoh2a03": (mos6502_loop, LONGEST)}
"""What finds loops that wait, and how many cycles before something changes the last of their reads
is that is passed over. The 6502 looks at interrupts at all times, the SM83 before an instruction:
the one that follows the read has to come before that, as in the first iteration the flags are not
yet those that it sets."""
_MIRRORED = ("irq_from", "nmi_at", "enabled", "requested", "late", "late_until", "horizon")
"""Fields of Signals that compiled code has in its state as well."""


class ChipModule:
    """The module under construction; see Functions."""

    def __init__(self, cpu: Cpu, space: AddressSpace, parts: ChipParts, line: str) -> None:
        self.parts = parts
        self.intrinsics: Mapping[Any, Callable[[Any, list[Any]], Any]] = {
            AddressSpace.advance: self._advance,
            AddressSpace.let_through: self._let_through,
            AddressSpace.steal: _steal,
            let_writes_pass: _let_writes_pass,
            "executing": lambda code, _: code.builder.zext(code.frame.load("current_pc"), I64),
        }
        self.module = ir.Module(name=f"{cpu.name} chips")
        self._cpu, self._space, self._line = cpu, space, line
        self._loop = _LOOPS.get(cpu.name) if space.steals else None
        self._functions: dict[Any, tuple[ir.Function, int, bool]] = {}
        self._known: list[Any] = []
        self._tables: dict[tuple[int, ...], Any] = {}
        self._clocks = [clock for clock in space.clocked if isinstance(clock, Chip)]

    def build(self) -> ir.Module:
        """Emit everything."""
        self._settle = self._internal("settle", ir.VoidType())
        self._tick = self._internal("tick", ir.VoidType(), I64)
        self._build_settle()
        self._build_tick()
        made = [self._read(), self._write(), self._signal(), self._acknowledge()]
        entries = ir.Function(self.module, ir.FunctionType(ir.VoidType(), (BYTES,)), ENTRIES)
        b = ir.IRBuilder(entries.append_basic_block("entry"))
        table = b.bitcast(entries.args[0], I64.as_pointer())
        for place, function in enumerate(made):
            b.store(b.ptrtoint(function, I64), b.gep(table, [I64(place)]))
        b.ret_void()
        return self.module

    # what the chips call

    def function(self, function: FunctionType, arguments: tuple[Any, ...]) -> tuple[Any, int, bool]:
        """See Functions."""
        names = tuple(inspect.signature(function).parameters)
        key = (function, tuple(_key(argument) for argument in arguments))
        if key in self._functions:
            return self._functions[key]
        self._known.append(arguments)  # their ids stay theirs
        tree = _tree(function)
        results = _results(tree)
        dynamic = [name for name, known in zip(names, arguments, strict=True) if known is None]
        returned = I64 if results == 1 else ir.LiteralStructType([I64] * results)
        made = self._internal(
            f"{function.__qualname__}.{len(self._functions)}", returned, *[I64] * len(dynamic)
        )
        if any(isinstance(node, (ast.For, ast.While)) for node in ast.walk(tree)):
            made.attributes.add("noinline")  # so that what calls it, most often not, is short
        frame = Frame(self._cpu, made, ir.IRBuilder(made.append_basic_block("entry")))
        code = Statements(self, frame, function.__globals__)
        code.results = results
        for name, known in zip(names, arguments, strict=True):
            if known is not None:
                code.bind(name, known)
        for name, value in zip(dynamic, made.args[1:], strict=True):
            code.bind(name, value)
        try:
            code.body(tree.body)
        except NotCompiled as error:
            raise NotCompiled(f"{function.__qualname__}: {error}") from None
        if not code.builder.block.is_terminated:
            if results == 1:
                code.builder.ret(I64(0))
            else:
                code.builder.unreachable()
        self._functions[key] = made, results, code.pure
        return self._functions[key]

    def table(self, values: tuple[int, ...]) -> Any:
        """See Functions."""
        if values not in self._tables:
            kind = ir.ArrayType(I64, len(values))
            table = ir.GlobalVariable(self.module, kind, f"table{len(self._tables)}")
            table.global_constant, table.linkage = True, "internal"
            table.initializer = ir.Constant(kind, [I64(value) for value in values])
            self._tables[values] = table
        return self._tables[values]

    def _internal(self, name: str, result: Any, *arguments: Any) -> ir.Function:
        function = ir.Function(self.module, ir.FunctionType(result, (BYTES, *arguments)), name)
        function.linkage = "internal"
        return function

    def _advance(self, code: ExpressionEmitter, values: list[Any]) -> Any:
        """``space.advance(cycle)``."""
        cycle = number(code.builder, values[1])
        code.builder.call(self._tick, [code.frame.function.args[0], cycle])
        return KnownValue(None)

    def _let_through(self, code: ExpressionEmitter, values: list[Any]) -> Any:
        """``space.let_through``: nobody watches while chips are compiled."""
        b, actions = code.builder, code.attribute(self._space, "actions")
        first, last, through = (value.value for value in values[1:])
        at = code.variable(f"marked {first}")
        b.store(I64(first), at)
        base = code.cell(actions, I64(0))
        loop, after = (b.append_basic_block(name) for name in ("mark", "marked"))
        b.branch(loop)
        b.position_at_end(loop)
        place = b.gep(base, [b.load(at)])
        bits = READ_CALL | WRITE_CALL
        there = b.load(place)
        b.store(b.and_(there, I8(~bits & 0xFF)) if through else b.or_(there, I8(bits)), place)
        b.store(b.add(b.load(at), I64(1)), at)
        b.cbranch(b.icmp_unsigned("<=", b.load(at), I64(last)), loop, after)
        b.position_at_end(after)
        return KnownValue(True)

    # what is called by compiled code

    def _code(self, function: ir.Function) -> ExpressionEmitter:
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        return ExpressionEmitter(self, Frame(self._cpu, function, builder), {})

    def _export(
        self, name: str, result: Any, *arguments: Any
    ) -> tuple[ir.Function, ExpressionEmitter]:
        kind = ir.FunctionType(result, (BYTES, *arguments))
        function = ir.Function(self.module, kind, name)
        return function, self._code(function)

    def _read(self) -> ir.Function:
        function, code = self._export("chip_read", I8, I16, I64, I8)
        state, address, cycle, dummy = function.args
        b = code.builder
        wide = b.zext(address, I64)
        switch, others = self._owners(code, wide)
        b.position_at_end(others)
        b.ret(code.frame.call("read_call", address, cycle, dummy))
        for block, chip in self._cases(code, switch):
            b.position_at_end(block)
            code.pure = True
            value = code.call(Method(chip, type(chip).read), [wide, cycle])
            if not code.pure:
                _forget(code.frame)
                b.call(self._settle, [state])
            if hasattr(chip, "steady_until") and self._loop is not None:
                read = (chip, function.args, number(b, value), code.pure)
                value = pass_over(code, self._space, self._loop, *read)
                if not code.pure:
                    b.call(self._settle, [state])
            b.ret(b.trunc(number(b, value), I8))
        return function

    def _write(self) -> ir.Function:
        function, code = self._export("chip_write", I8, I16, I8, I64, I8)
        state, address, value, cycle, dummy = function.args
        b = code.builder
        wide = b.zext(address, I64)
        code.frame.store("open_until", I64(0))
        action = b.load(code.cell(code.attribute(self._space, "actions"), wide))
        with b.if_then(b.icmp_unsigned("!=", b.and_(action, I8(PROTECTED)), I8(0))):
            b.ret(dummy)
        switch, others = self._owners(code, wide)
        b.position_at_end(others)
        b.ret(code.frame.call("write_call", address, value, cycle, dummy))
        for block, chip in self._cases(code, switch):
            b.position_at_end(block)
            given = [wide, b.zext(value, I64), cycle]
            code.call(Method(chip, type(chip).write), given)
            passes = b.icmp_unsigned("!=", code.frame.load("open_until"), I64(0))
            with b.if_then(passes):  # it was one to memory
                b.ret(I8(1))
            code.frame.store("known_until", I64(0))
            b.call(self._settle, [state])
            b.ret(I8(1))
        return function

    def _owners(self, code: ExpressionEmitter, address: Any) -> tuple[Any, Any]:
        """A switch over the devices, by the address, and the block for those in Python."""
        b = code.builder
        owner = b.load(code.cell(code.attribute(self._space, "owners"), address))
        others = b.append_basic_block("others")
        return b.switch(owner, others), others

    def _cases(self, code: ExpressionEmitter, switch: Any) -> Sequence[tuple[Any, Any]]:
        blocks = []
        for place, device in enumerate(self._space.numbered):
            if isinstance(device, Chip):
                block = code.builder.append_basic_block(f"device{place}")
                switch.add_case(I8(place + 1), block)
                blocks.append((block, device))
        return blocks

    def _signal(self) -> ir.Function:
        function, code = self._export("chip_signal", ir.VoidType(), I64)
        code.builder.call(self._tick, function.args)
        code.builder.ret_void()
        return function

    def _acknowledge(self) -> ir.Function:
        function, code = self._export("chip_acknowledge", ir.VoidType(), I8)
        _forget(code.frame)
        value = code.builder.zext(function.args[1], I64)
        method = Method(self._space.signals, Signals.acknowledge)
        code.call(method, [KnownValue(self._line), value])
        code.builder.call(self._settle, function.args[:1])
        code.builder.ret_void()
        return function

    def _build_tick(self) -> None:
        """``space.advance``: all by Python when it is the time of a device there."""
        code = self._code(self._tick)
        b, cycle = code.builder, self._tick.args[1]
        _forget(code.frame)
        others = b.icmp_signed("<=", code.frame.load("python_due"), cycle)
        with b.if_then(others, likely=False):
            code.frame.call("signal_call", cycle)
            b.ret_void()
        for clock in self._clocks:
            due = number(b, code.call(Method(clock, type(clock).due), []))
            with b.if_then(b.icmp_signed("<=", due, cycle)):
                code.call(Method(clock, type(clock).advance), [cycle])
        b.call(self._settle, self._tick.args[:1])
        b.ret_void()

    def _build_settle(self) -> None:
        """When the next event comes, and what the lines are: in the chip and in the state."""
        code = self._code(self._settle)
        b, frame, signals = code.builder, code.frame, self._space.signals
        horizon = frame.load("python_due")
        for clock in self._clocks:
            due = number(b, code.call(Method(clock, type(clock).due), []))
            horizon = b.select(b.icmp_signed("<", due, horizon), due, horizon)
        b.store(horizon, code.field(signals, "horizon"))
        for name in _MIRRORED:
            value = b.load(code.field(signals, name))
            kind = frame.field(name).type.pointee
            frame.store(name, value if kind == I64 else b.trunc(value, kind))
        quiet = code.call(Method(signals, Signals.quiet_until), [horizon])
        frame.store("quiet_until", number(b, quiet))
        b.ret_void()


def _steal(code: ExpressionEmitter, values: list[Any]) -> Any:
    """``space.steal``."""
    b, frame = code.builder, code.frame
    cycles, cycle = number(b, values[1]), number(b, values[2])
    frame.store("stolen", b.add(frame.load("stolen"), cycles))
    with b.if_then(b.icmp_unsigned("!=", frame.load("tells_steals"), I8(0)), likely=False):
        frame.call("steal_call", cycle, cycles, I8(DMA.index(values[3].value)))
    return KnownValue(None)


def _let_writes_pass(code: ExpressionEmitter, values: list[Any]) -> Any:
    """``let_writes_pass``: until a device does anything."""
    frame, first, last = code.frame, values[1].value, values[2].value
    frame.store("open_first", I16(first))
    frame.store("open_size", I16(last + 1 - first))
    frame.store("open_until", number(code.builder, values[3]))
    return KnownValue(None)


def _forget(frame: Frame) -> None:
    """A device does something: what was noted of answers and of writes that pass is noted no
    more."""
    for field in ("known_until", "open_until"):
        frame.store(field, I64(0))


def _key(argument: Any) -> Any:
    if isinstance(argument, KnownValue):
        return id(argument.value)
    return argument


@cache
def _functions_of(path: str) -> Mapping[int, ast.FunctionDef]:
    """The functions of a file, by the line of their first decorator or of ``def``."""
    tree = ast.parse(Path(path).read_bytes())
    return {
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


def _tree(function: FunctionType) -> ast.FunctionDef:
    code = function.__code__
    tree = _functions_of(code.co_filename).get(code.co_firstlineno)
    if tree is None or tree.name != function.__name__:
        raise NotCompiled(f"{code.co_filename} has changed since it was imported")
    return tree


def _results(tree: ast.FunctionDef) -> int:
    """How many numbers a function gives."""
    for node in ast.walk(tree):
        match node:
            case ast.Return(value=ast.Tuple(elts=values)):
                return len(values)
            case ast.Return(value=ast.Call(func=ast.Name(id="divmod"))):
                return 2
    return 1
