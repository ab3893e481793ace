"""Expressions of chips as LLVM instructions."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType
from typing import Any, Protocol

from romproof.engine.chips import Chip, is_in_python
from romproof.engine.llvm.chips.chip_parts import ChipParts, field_types, is_constant
from romproof.engine.llvm.chips.values import (
    Cells,
    KnownValue,
    Method,
    NotCompiled,
    element_of,
    field_type,
    floor_divide,
    number,
    truth,
)
from romproof.engine.llvm.frame import I1, I8, I64, Frame

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and_", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.LShift: "shl", ast.RShift: "ashr",
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: lambda a: not a, ast.USub: lambda a: -a, ast.UAdd: lambda a: +a,
    ast.Invert: lambda a: ~a,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_FOLDED: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b, ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b, ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b, ast.GtE: lambda a, b: a >= b, ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b, ast.LShift: lambda a, b: a << b, ast.RShift: lambda a, b: a >> b,
    ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b, ast.BitXor: lambda a, b: a ^ b,
}  # fmt: skip


class Functions(Protocol):
    """All functions that are compiled together."""

    parts: ChipParts
    intrinsics: Mapping[Any, Callable[[Any, list[Any]], Any]]

    def function(self, function: FunctionType, arguments: tuple[Any, ...]) -> tuple[Any, int, bool]:
        """The compiled function, with what is known of its arguments, how many numbers it gives,
        and whether it changes nothing."""

    def table(self, values: tuple[int, ...]) -> Any:
        """A constant table of 64 bit numbers."""


def method_name(node: ast.AST) -> str:
    """The method for a kind of node: ``on_bin_op`` for BinOp."""
    return "on" + re.sub("([A-Z])", r"_\1", type(node).__name__).lower()


class ExpressionEmitter:
    """Emits expressions at the builder's position. ``names`` are those of a function's module."""

    def __init__(self, functions: Functions, frame: Frame, names: Mapping[str, Any]) -> None:
        self.functions = functions
        self.frame = frame
        self.builder = frame.builder
        self._names = names
        self.pure = True
        """Whether nothing was emitted that changes anything."""
        self._variables: dict[str, Any] = {}
        self._bound: dict[str, Any] = {}

    def expression(self, node: ast.expr) -> Any:
        """What an expression is. Raises NotCompiled."""
        method = getattr(self, method_name(node), None)
        if method is None:
            raise NotCompiled(f"line {node.lineno}: {type(node).__name__}")
        return method(node)

    def number(self, node: ast.expr) -> Any:
        """An expression as 64 bits."""
        return number(self.builder, self.expression(node))

    def truth(self, node: ast.expr) -> Any:
        """Whether an expression is true: Known, or a bit."""
        return truth(self.builder, self.expression(node))

    def variable(self, name: str) -> Any:
        """The place of a local variable."""
        if name not in self._variables:
            with self.builder.goto_entry_block():
                self._variables[name] = self.builder.alloca(I64, name=name)
        return self._variables[name]

    def on_constant(self, node: ast.Constant) -> Any:
        return KnownValue(node.value)

    def on_name(self, node: ast.Name) -> Any:
        if node.id in self._bound:
            return self._bound[node.id]
        if node.id in self._variables:
            return self.builder.load(self._variables[node.id])
        if node.id in self._names:
            return KnownValue(self._names[node.id])
        return KnownValue(getattr(builtins, node.id))

    def on_tuple(self, node: ast.Tuple) -> Any:
        values = tuple(self.expression(one) for one in node.elts)
        if all(isinstance(value, KnownValue) for value in values):
            return KnownValue(tuple(value.value for value in values))
        return values

    def on_attribute(self, node: ast.Attribute) -> Any:
        owner = self.expression(node.value)
        if not isinstance(owner, KnownValue):
            raise NotCompiled(f"line {node.lineno}: .{node.attr}")
        return self.attribute(owner.value, node.attr)

    def attribute(self, owner: Any, name: str) -> Any:
        """An attribute of something that is known."""
        intrinsic = self.functions.intrinsics.get(name)
        if intrinsic is not None and not isinstance(owner, Chip):
            return intrinsic(self, [])
        if isinstance(owner, Chip) and name in field_types(type(owner)):
            kind = field_type(field_types(type(owner))[name])
            if kind is None:
                descriptor: Any = getattr(type(owner), name)
                element = field_types(type(owner))[name]._type_
                return Cells(self._number(owner), descriptor.offset, field_type(element) or I8)
            value = self.builder.load(self.field(owner, name))
            return value if kind == I64 else self.builder.trunc(value, I1)
        described = inspect.getattr_static(type(owner), name, None)
        if isinstance(described, property) and isinstance(owner, Chip):
            return self.call(Method(owner, described.fget), [])
        value = getattr(owner, name)
        if isinstance(value, MethodType):
            return Method(owner, value.__func__)
        if isinstance(value, int) and not is_constant(owner):
            raise NotCompiled(f".{name} of {type(owner).__name__} is not known to be constant")
        return self._to_known(value)

    def _to_known(self, value: Any) -> Any:
        cells = self.functions.parts.number(value)
        if cells is not None and not isinstance(value, Chip):
            return Cells(cells, 0, element_of(value))
        return KnownValue(value)

    def field(self, owner: Chip, name: str) -> Any:
        """The place of a field."""
        descriptor: Any = getattr(type(owner), name)
        kind = field_type(field_types(type(owner))[name])
        return self._place(self._number(owner), I64(descriptor.offset), kind)

    def _number(self, part: object) -> int:
        index = self.functions.parts.number(part)
        if index is None:
            raise NotCompiled(f"{part!r} is no part of the machine")
        return index

    def _place(self, part: int, offset: Any, kind: Any) -> Any:
        b = self.builder
        where = self._unchanging(self.frame.field("parts"))
        table = b.inttoptr(where, I64.as_pointer())
        base = self._unchanging(b.gep(table, [I64(part)]))
        return b.inttoptr(b.add(base, offset), kind.as_pointer())

    def _unchanging(self, place: Any) -> Any:
        """Load what stays the same, whatever is stored in between."""
        loaded = self.builder.load(place)
        loaded.set_metadata("invariant.load", self.builder.module.add_metadata([]))
        return loaded

    def cell(self, cells: Cells, index: Any) -> Any:
        """The place of an element."""
        size = cells.element.width // 8
        offset = self.builder.add(I64(cells.offset), self.builder.mul(index, I64(size)))
        return self._place(cells.number, offset, cells.element)

    def on_subscript(self, node: ast.Subscript) -> Any:
        owner = self.expression(node.value)
        index = self.expression(node.slice)
        if isinstance(owner, Cells):
            value = self.builder.load(self.cell(owner, number(self.builder, index)))
            return value if value.type == I64 else self.builder.zext(value, I64)
        if isinstance(owner, tuple) and isinstance(index, KnownValue):
            return owner[index.value]
        if isinstance(owner, KnownValue) and isinstance(index, KnownValue):
            return self._to_known(owner.value[index.value])
        if isinstance(owner, KnownValue) and isinstance(owner.value, (tuple, bytes)):
            table = self.functions.table(tuple(map(int, owner.value)))
            place = self.builder.gep(table, [I64(0), number(self.builder, index)])
            return self.builder.load(place)
        raise NotCompiled(f"line {node.lineno}: a subscript")

    def on_unary_op(self, node: ast.UnaryOp) -> Any:
        value = self.expression(node.operand)
        if isinstance(value, KnownValue):
            return KnownValue(_UNARY[type(node.op)](value.value))
        if isinstance(node.op, ast.Not):
            return self.builder.not_(truth(self.builder, value))
        given = number(self.builder, value)
        if isinstance(node.op, ast.UAdd):
            return given
        return (
            self.builder.neg(given) if isinstance(node.op, ast.USub) else self.builder.not_(given)
        )

    def on_bin_op(self, node: ast.BinOp) -> Any:
        return self.binary(node.op, self.expression(node.left), self.expression(node.right))

    def binary(self, operator: ast.operator, left: Any, right: Any) -> Any:
        """Two values joined by an operator."""
        b = self.builder
        if isinstance(left, KnownValue) and isinstance(right, KnownValue):
            return KnownValue(_FOLDED[type(operator)](left.value, right.value))
        one, other = number(b, left), number(b, right)
        if isinstance(operator, ast.FloorDiv):
            return floor_divide(b, one, other)[0]
        if isinstance(operator, ast.Mod):
            return floor_divide(b, one, other)[1]
        return getattr(b, _ARITHMETIC[type(operator)])(one, other)

    def on_bool_op(self, node: ast.BoolOp) -> Any:
        return self._join(isinstance(node.op, ast.And), node.values)

    def _join(self, both: bool, nodes: list[ast.expr]) -> Any:
        """``and`` and ``or``: the first value that decides, the rest is not looked at."""
        first = self.expression(nodes[0])
        if len(nodes) == 1:
            return first
        decides = truth(self.builder, first)
        if isinstance(decides, KnownValue):
            return self._join(both, nodes[1:]) if decides.value == both else first
        b = self.builder
        value = number(b, first)
        before = b.block
        rest, end = b.append_basic_block("rest"), b.append_basic_block("joined")
        b.cbranch(decides, rest if both else end, end if both else rest)
        b.position_at_end(rest)
        other = number(b, self._join(both, nodes[1:]))
        last = b.block
        b.branch(end)
        b.position_at_end(end)
        result = b.phi(I64)
        result.add_incoming(value, before)
        result.add_incoming(other, last)
        return result

    def on_if_exp(self, node: ast.IfExp) -> Any:
        condition = self.truth(node.test)
        if isinstance(condition, KnownValue):
            return self.expression(node.body if condition.value else node.orelse)
        b = self.builder
        blocks = [b.append_basic_block(name) for name in ("then", "else", "chosen")]
        b.cbranch(condition, blocks[0], blocks[1])
        incoming = []
        for block, branch in zip(blocks, (node.body, node.orelse), strict=False):
            b.position_at_end(block)
            incoming.append((self.number(branch), b.block))
            b.branch(blocks[2])
        b.position_at_end(blocks[2])
        result = b.phi(I64)
        for value, block in incoming:
            result.add_incoming(value, block)
        return result

    def on_compare(self, node: ast.Compare) -> Any:
        values = [self.expression(one) for one in (node.left, *node.comparators)]
        results = [
            self._compare(operator, one, other)
            for operator, one, other in zip(node.ops, values, values[1:], strict=False)
        ]
        if all(isinstance(result, KnownValue) for result in results):
            return KnownValue(all(result.value for result in results))
        joined: Any = None
        for result in results:
            bit = I1(int(result.value)) if isinstance(result, KnownValue) else result
            joined = bit if joined is None else self.builder.and_(joined, bit)
        return joined

    def _compare(self, operator: ast.cmpop, one: Any, other: Any) -> Any:
        b = self.builder
        if isinstance(operator, (ast.In, ast.NotIn)):
            inside = self._contains(one, other.value)
            return inside if isinstance(operator, ast.In) else b.not_(inside)
        if isinstance(one, KnownValue) and isinstance(other, KnownValue):
            return KnownValue(_FOLDED[type(operator)](one.value, other.value))
        return b.icmp_signed(_COMPARED[type(operator)], number(b, one), number(b, other))

    def _contains(self, value: Any, among: Any) -> Any:
        b, here = self.builder, number(self.builder, value)
        if isinstance(among, range) and among.step == 1:
            above = b.icmp_signed(">=", here, I64(among.start))
            return b.and_(above, b.icmp_signed("<", here, I64(among.stop)))
        contained: Any = I1(0)
        for one in among:
            contained = b.or_(contained, b.icmp_signed("==", here, I64(int(one))))
        return contained

    def on_call(self, node: ast.Call) -> Any:
        callee = self.expression(node.func)
        given = [self.expression(argument) for argument in node.args]
        named = {word.arg: self.expression(word.value) for word in node.keywords if word.arg}
        if isinstance(callee, KnownValue) and callee.value in (bool, int, min, max, divmod, range):
            return self._call_builtin(callee.value, given)
        return self.call(callee, given, named)

    def _call_builtin(self, function: Any, given: list[Any]) -> Any:
        b = self.builder
        if all(isinstance(value, KnownValue) for value in given):
            return KnownValue(function(*(value.value for value in given)))
        if function is bool:
            return truth(b, given[0])
        values = [number(b, value) for value in given]
        if function is int:
            return values[0]
        if function is divmod:
            return floor_divide(b, *values)
        if function is range:
            raise NotCompiled("a range is only known in a loop")
        best = values[0]
        for value in values[1:]:
            is_better = b.icmp_signed("<" if function is min else ">", value, best)
            best = b.select(is_better, value, best)
        return best

    def call(self, callee: Any, given: list[Any], named: Mapping[str, Any] | None = None) -> Any:
        """A function or method called."""
        if isinstance(callee, Method):
            owner, function = callee.owner, callee.function
            given = [KnownValue(owner), *given]
        elif isinstance(callee, KnownValue) and isinstance(callee.value, FunctionType):
            owner, function = None, callee.value
        else:
            raise NotCompiled(f"a call of {callee!r}")
        bound = inspect.signature(function).bind(*given, **(named or {}))
        values = [
            bound.arguments.get(name, KnownValue(parameter.default))
            for name, parameter in inspect.signature(function).parameters.items()
        ]
        intrinsic = self.functions.intrinsics.get(function)
        if intrinsic is not None:
            self.pure = False
            return intrinsic(self, values)
        if is_in_python(function):
            self.pure = False
            return self._in_python(owner, function, values[1:])
        arguments = [v if _is_static(v) else number(self.builder, v) for v in values]
        compiled, results, pure = self.functions.function(
            function, tuple(a if _is_static(a) else None for a in arguments)
        )
        self.pure &= pure
        dynamic = [a for a in arguments if not _is_static(a)]
        result = self.builder.call(compiled, [self.frame.function.args[0], *dynamic])
        if results == 1:
            return result
        return tuple(self.builder.extract_value(result, n) for n in range(results))

    def _in_python(self, owner: Any, function: Any, values: list[Any]) -> Any:
        hook = self.functions.parts.hook(owner, function)
        numbers = [number(self.builder, value) for value in values]
        numbers += [I64(0)] * (4 - len(numbers))
        return self.frame.call("hook_call", I64(hook), *numbers)


def _is_static(value: Any) -> bool:
    """Whether an argument is known and no number: there is a function of its own for it."""
    return isinstance(value, Cells) or (
        isinstance(value, KnownValue) and not isinstance(value.value, int)
    )
