"""Microcode to Python source: one function for each opcode, on plain ints.

The functions take the engine ``m``: registers are its attributes, bus cycles its methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from romproof.isa.algebra import Op, Value
from romproof.isa.microcode import Microcode, MicroStep, StepKind

_METHODS = {
    StepKind.FETCH: "fetch",
    StepKind.OPERAND: "operand",
    StepKind.READ: "read",
    StepKind.DUMMY_READ: "dummy_read",
    StepKind.WRITE: "write",
    StepKind.DUMMY_WRITE: "dummy_write",
}


def function(name: str, microcode: Microcode) -> str:
    """The source of a function that does all the steps, sets the registers and gives ``next``."""
    return "\n    ".join([f"def {name}(m):", *_ExpressionWriter(microcode).lines()]) + "\n"


class _ExpressionWriter:
    """Turns values into expressions; what is used more than once gets a name."""

    def __init__(self, microcode: Microcode) -> None:
        self._microcode = microcode
        self._uses: Counter[Value] = Counter()
        self._names: dict[Value, str] = {}
        self._lines: list[str] = []
        for value in _roots(microcode):
            self._count(value)

    def lines(self) -> list[str]:
        """The body of the function."""
        for number, step in enumerate(self._microcode.steps):
            self._step(number, step)
        # all values first: results are in terms of the registers before
        results = [(f"m.{name}", self._text(v)) for name, v in self._microcode.results]
        following = self._text(self._microcode.next) if self._microcode.next else None
        if results:
            targets, values = zip(*results, strict=True)
            self._lines.append(f"{', '.join(targets)} = {', '.join(values)}")
        if self._microcode.stop is not None:
            self._lines.append(f"m.{self._microcode.stop.value}()")
        if following is not None:
            self._lines.append(f"return {following}")
        return self._lines or ["pass"]

    def _step(self, number: int, step: MicroStep) -> None:
        if step.kind is StepKind.ACKNOWLEDGE and not step.signal:
            return
        address = self._text(step.address) if step.address is not None else ""
        value = self._text(step.value) if step.value is not None else ""
        if step.kind is StepKind.IDLE:
            call = f"m.idle({address or None})"
        elif step.kind in (StepKind.SIGNAL, StepKind.ACKNOWLEDGE):
            call = f"m.{step.kind.value}_{step.signal}({value})"
        else:
            call = f"m.{_METHODS[step.kind]}({', '.join(filter(None, (address, value)))})"
        when = self._text(step.when) if step.when is not None else None
        if step.width and step.kind is not StepKind.DUMMY_READ:
            call = f"i{number} = {call}"
            if when is not None:
                self._lines.append(f"i{number} = 0")
        self._lines.append(call if when is None else f"if {when}: {call}")

    def _count(self, value: Value) -> None:
        self._uses[value] += 1
        if self._uses[value] == 1:
            for arg in value.args:
                self._count(arg)

    def _text(self, value: Value) -> str:
        """The expression; its shared parts become names in lines before."""
        known = self._names.get(value)
        if known is not None:
            return known
        text = self._expression(value)
        if self._uses[value] > 1 and value.op not in (Op.CONST, Op.INPUT):
            name = f"t{len(self._names)}"
            self._lines.append(f"{name} = {text}")
            self._names[value] = text = name
        return text

    def _expression(self, value: Value) -> str:
        mask = (1 << value.width) - 1
        args = [self._text(arg) for arg in value.args]
        match value.op:
            case Op.CONST:
                return str(value.number)
            case Op.REGISTER:
                return f"m.{value.name}"
            case Op.INPUT:
                return f"i{value.number}"
            case Op.NOT:
                return f"({args[0]} ^ {mask})"
            case Op.AND | Op.OR | Op.XOR:
                sign = {Op.AND: "&", Op.OR: "|", Op.XOR: "^"}[value.op]
                return f"({args[0]} {sign} {args[1]})"
            case Op.ADD | Op.SUB:
                sign = "+" if value.op is Op.ADD else "-"
                return f"({args[0]} {sign} {args[1]} & {mask})"
            case Op.EQUAL:
                return f"({args[0]} == {args[1]})"
            case Op.LESS:
                return f"({args[0]} < {args[1]})"
            case Op.SELECT:
                return f"({args[1]} if {args[0]} else {args[2]})"
            case Op.CONCAT:
                if value.args[0].op is Op.CONST and value.args[0].number == 0:
                    return args[1]
                return f"({args[0]} << {value.args[1].width} | {args[1]})"
            case Op.EXTRACT:
                whole = value.args[0].width
                shifted = f"{args[0]} >> {value.number}" if value.number else args[0]
                if value.number + value.width == whole:
                    return f"({shifted})"
                return f"({shifted} & {mask})"
        raise AssertionError(value.op)


def _roots(microcode: Microcode) -> Iterator[Value]:
    """All values the microcode names."""
    for step in microcode.steps:
        yield from (v for v in (step.address, step.value, step.when) if v is not None)
    yield from (value for _, value in microcode.results)
    if microcode.next is not None:
        yield microcode.next
