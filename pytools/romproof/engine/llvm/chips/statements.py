"""Statements of chips as LLVM instructions."""

from __future__ import annotations

import ast
from typing import Any

from romproof.engine.chips import Chip
from romproof.engine.llvm.chips.chip_parts import field_types
from romproof.engine.llvm.chips.expressions import ExpressionEmitter, method_name
from romproof.engine.llvm.chips.values import (
    Cells,
    KnownValue,
    NotCompiled,
    field_type,
    number,
    truth,
)
from romproof.engine.llvm.frame import BYTES, I1, I8, I64


class Statements(ExpressionEmitter):
    """The body of a function, emitted at the builder's position."""

    results = 1
    """How many numbers the function gives."""
    _loop: tuple[Any, Any] | None = None
    """Where ``continue`` and ``break`` go."""

    def body(self, statements: list[ast.stmt]) -> None:
        """One after the other, until one of them leaves."""
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            method = getattr(self, method_name(statement), None)
            if method is None:
                raise NotCompiled(f"line {statement.lineno}: {type(statement).__name__}")
            method(statement)

    def bind(self, name: str, value: Any) -> None:
        """Give a local variable a value."""
        if isinstance(value, Cells) or (
            isinstance(value, KnownValue) and not isinstance(value.value, int)
        ):
            self._bound[name] = value
            return
        self.builder.store(number(self.builder, value), self.variable(name))

    def on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring is none
            self.expression(node.value)

    def on_pass(self, node: ast.Pass) -> None:
        pass

    def on_assert(self, node: ast.Assert) -> None:
        pass

    def on_assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Subscript):
            target = node.targets[0]
            if isinstance(target.slice, ast.Slice):
                self._copy(target, node.value)
                return
        value = self.expression(node.value)
        for one in node.targets:
            self._assign(one, value)

    def on_ann_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self.expression(node.value))

    def on_aug_assign(self, node: ast.AugAssign) -> None:
        there = self.expression(node.target)
        self._assign(node.target, self.binary(node.op, there, self.expression(node.value)))

    def _assign(self, target: ast.expr, value: Any) -> None:
        b = self.builder
        match target:
            case ast.Name():
                self.bind(target.id, value)
            case ast.Tuple():
                values = value.value if isinstance(value, KnownValue) else value
                for one, part in zip(target.elts, values, strict=True):
                    self._assign(one, KnownValue(part) if isinstance(value, KnownValue) else part)
            case ast.Subscript():
                self.pure = False
                cells = self.expression(target.value)
                if not isinstance(cells, Cells):
                    raise NotCompiled(f"line {target.lineno}: not in memory")
                place = self.cell(cells, self.number(target.slice))
                stored = number(b, value)
                b.store(stored if cells.element == I64 else b.trunc(stored, cells.element), place)
            case ast.Attribute():
                owner = self.expression(target.value)
                if not isinstance(owner, KnownValue) or not isinstance(owner.value, Chip):
                    raise NotCompiled(f"line {target.lineno}: not a field of a chip")
                chip = owner.value
                self.pure &= target.attr in chip.noted
                if field_type(field_types(type(chip)).get(target.attr)) is None:
                    raise NotCompiled(f"line {target.lineno}: .{target.attr} is no field")
                place = self.field(chip, target.attr)
                if place.type.pointee == I64:
                    b.store(number(b, value), place)
                else:
                    bit = truth(b, value)
                    known = isinstance(bit, KnownValue)
                    b.store(I8(int(bit.value)) if known else b.zext(bit, I8), place)
            case _:
                raise NotCompiled(f"line {target.lineno}: {type(target).__name__}")

    def _copy(self, target: ast.Subscript, source: ast.expr) -> None:
        """``a[x : x + n] = b[y : y + n]``: the parts do not overlap."""
        assert isinstance(target.slice, ast.Slice)
        if not isinstance(source, ast.Subscript) or not isinstance(source.slice, ast.Slice):
            raise NotCompiled(f"line {source.lineno}: only slices can be copied")
        into, out = self.expression(target.value), self.expression(source.value)
        if into.element != out.element:
            raise NotCompiled(f"line {source.lineno}: elements of two sizes")
        first, end = (self._bounds(target.slice), self._bounds(source.slice))
        b, self.pure = self.builder, False
        kinds = [BYTES, BYTES, I64]
        size = I64(into.element.width // 8)
        copy = b.module.declare_intrinsic("llvm.memcpy", kinds)
        places = [
            b.bitcast(self.cell(cells, begin), BYTES)
            for cells, begin in ((into, first[0]), (out, end[0]))
        ]
        b.call(copy, [*places, b.mul(b.sub(first[1], first[0]), size), I1(0)])

    def _bounds(self, part: ast.Slice) -> tuple[Any, Any]:
        lower = I64(0) if part.lower is None else self.number(part.lower)
        if part.upper is None:
            raise NotCompiled(f"line {part.lineno}: a slice needs an end")
        return lower, self.number(part.upper)

    def on_if(self, node: ast.If) -> None:
        condition = self.truth(node.test)
        if isinstance(condition, KnownValue):
            self.body(node.body if condition.value else node.orelse)
            return
        b = self.builder
        then, otherwise, end = (b.append_basic_block(n) for n in ("then", "else", "end"))
        b.cbranch(condition, then, otherwise)
        reached = False
        for block, statements in ((then, node.body), (otherwise, node.orelse)):
            b.position_at_end(block)
            self.body(statements)
            if not b.block.is_terminated:
                b.branch(end)
                reached = True
        b.position_at_end(end)
        if not reached:
            b.unreachable()

    def on_while(self, node: ast.While) -> None:
        b = self.builder
        test, loop, end = (b.append_basic_block(n) for n in ("test", "loop", "end"))
        b.branch(test)
        b.position_at_end(test)
        condition = self.truth(node.test)
        if isinstance(condition, KnownValue):
            b.branch(loop)
        else:
            b.cbranch(condition, loop, end)
        self._emit_loop(node.body, loop, test, end)

    def _emit_loop(self, statements: list[ast.stmt], loop: Any, again: Any, end: Any) -> None:
        b, outer = self.builder, self._loop
        self._loop = (again, end)
        b.position_at_end(loop)
        self.body(statements)
        if not b.block.is_terminated:
            b.branch(again)
        self._loop = outer
        b.position_at_end(end)

    def on_for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=arguments):
                self._emit_counted_loop(node, node.target.id, arguments)
                return
        among = self.expression(node.iter)
        if not isinstance(among, KnownValue):
            raise NotCompiled(f"line {node.lineno}: not known what is gone through")
        for one in among.value:  # emitted once for each
            self.bind(node.target.id, KnownValue(one))
            self.body(node.body)

    def _emit_counted_loop(self, node: ast.For, name: str, arguments: list[ast.expr]) -> None:
        b = self.builder
        values = [self.number(argument) for argument in arguments]
        first, end = (I64(0), values[0]) if len(values) == 1 else values[:2]
        step = values[2] if len(values) == 3 else I64(1)
        counter = self.variable(f"counter {node.lineno}")
        b.store(first, counter)
        test, loop, again, after = (
            b.append_basic_block(n) for n in ("test", "loop", "again", "after")
        )
        b.branch(test)
        b.position_at_end(test)
        b.cbranch(b.icmp_signed("<", b.load(counter), end), loop, after)
        b.position_at_end(again)
        b.store(b.add(b.load(counter), step), counter)
        b.branch(test)
        b.position_at_end(loop)
        b.store(b.load(counter), self.variable(name))
        self._emit_loop(node.body, loop, again, after)

    def on_break(self, node: ast.Break) -> None:
        assert self._loop is not None
        self.builder.branch(self._loop[1])

    def on_continue(self, node: ast.Continue) -> None:
        assert self._loop is not None
        self.builder.branch(self._loop[0])

    def on_return(self, node: ast.Return) -> None:
        b = self.builder
        value: Any = KnownValue(0) if node.value is None else self.expression(node.value)
        if isinstance(value, KnownValue) and value.value is None:
            value = KnownValue(0)
        if self.results == 1:
            b.ret(number(b, value))
            return
        values = [KnownValue(v) for v in value.value] if isinstance(value, KnownValue) else value
        result: Any = b.function.ftype.return_type
        packed: Any = None
        for place, one in enumerate(values):
            whole = result(None) if packed is None else packed
            packed = b.insert_value(whole, number(b, one), place)
        b.ret(packed)
