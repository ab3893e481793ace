"""Values of fixed width: the small language in which the operations of a CPU are written.

A Value is an expression, not a number: ``a + b`` says that two values are added, whatever
they will be. An engine gives each of the few operators a meaning: Python ints, LLVM
instructions, formulas of a solver. Widths are in bits and never change silently; results
wrap around as in hardware. There are no shifts: taking bits and joining them says the same
without a question of what comes in from the side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from weakref import WeakValueDictionary


class Op(Enum):
    """The operators. Comparisons are unsigned and give one bit."""

    CONST = "const"
    REGISTER = "register"
    INPUT = "input"
    NOT = "not"
    AND = "and"
    OR = "or"
    XOR = "xor"
    ADD = "add"
    SUB = "sub"
    EQUAL = "equal"
    LESS = "less"
    SELECT = "select"
    CONCAT = "concat"
    EXTRACT = "extract"


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Value:
    """An expression of ``width`` bits. Equal expressions are one object.

    ``number`` is the constant's value, the lowest bit an EXTRACT takes, or the index of an
    INPUT: the step of the microcode that brings it. ``name`` is that of a register.
    """

    op: Op
    width: int
    args: tuple[Value, ...] = ()
    number: int = 0
    name: str = ""

    def __add__(self, other: Value | int) -> Value:
        return _make(Op.ADD, self.width, (self, self._like(other)))

    def __sub__(self, other: Value | int) -> Value:
        return _make(Op.SUB, self.width, (self, self._like(other)))

    def __and__(self, other: Value | int) -> Value:
        return _make(Op.AND, self.width, (self, self._like(other)))

    def __or__(self, other: Value | int) -> Value:
        return _make(Op.OR, self.width, (self, self._like(other)))

    def __xor__(self, other: Value | int) -> Value:
        return _make(Op.XOR, self.width, (self, self._like(other)))

    def __invert__(self) -> Value:
        return _make(Op.NOT, self.width, (self,))

    def __getitem__(self, bits: int | slice) -> Value:
        """One bit ``v[7]``, or some: ``v[4:8]`` are bits 4 to 7, the low ones first."""
        if isinstance(bits, int):
            bits = slice(bits, bits + 1)
        low, high = bits.start or 0, self.width if bits.stop is None else bits.stop
        if not 0 <= low < high <= self.width:
            raise ValueError(f"a value of {self.width} bits has no bits {low}..{high - 1}")
        return _make(Op.EXTRACT, high - low, (self,), low)

    def equals(self, other: Value | int) -> Value:
        """One bit: are they the same?"""
        return _make(Op.EQUAL, 1, (self, self._like(other)))

    def below(self, other: Value | int) -> Value:
        """One bit: is it less, both taken as unsigned?"""
        return _make(Op.LESS, 1, (self, self._like(other)))

    def widen(self, width: int) -> Value:
        """The same number in more bits."""
        return self if width == self.width else cat(const(0, width - self.width), self)

    def extend_sign(self, width: int) -> Value:
        """The same signed number in more bits."""
        more = width - self.width
        return cat(select(self[self.width - 1], const(-1, more), const(0, more)), self)

    def _like(self, other: Value | int) -> Value:
        return const(other, self.width) if isinstance(other, int) else other


def const(number: int, width: int) -> Value:
    """A constant; negative numbers wrap around."""
    return _make(Op.CONST, width, (), number & ((1 << width) - 1))


def register(name: str, width: int) -> Value:
    """What a register holds before the instruction."""
    return _make(Op.REGISTER, width, (), 0, name)


def input_of(step: int, width: int) -> Value:
    """What step number ``step`` of the microcode brings; 0 when the step does not take place."""
    return _make(Op.INPUT, width, (), step)


def cat(*parts: Value) -> Value:
    """The values side by side, the highest bits first."""
    whole = parts[0]
    for part in parts[1:]:
        whole = _make(Op.CONCAT, whole.width + part.width, (whole, part))
    return whole


def select(condition: Value, then: Value | int, otherwise: Value | int) -> Value:
    """``then`` where the one-bit ``condition`` is 1, else ``otherwise``; one may be an int."""
    if isinstance(then, int):
        if isinstance(otherwise, int):
            raise TypeError("select() of two ints has no width")
        then = const(then, otherwise.width)
    if isinstance(otherwise, int):
        otherwise = const(otherwise, then.width)
    return _make(Op.SELECT, then.width, (condition, then, otherwise))


_known: WeakValueDictionary[tuple[Op, int, tuple[int, ...], int, str], Value]
_known = WeakValueDictionary()


def _make(op: Op, width: int, args: tuple[Value, ...], number: int = 0, name: str = "") -> Value:
    """The one object for this expression, simplified. Raises ValueError on unfit widths."""
    # an argument lives as long as what is made of it, so its id cannot be used again before
    key = (op, width, tuple(map(id, args)), number, name)
    known = _known.get(key)
    if known is not None:  # so it fits, and cannot be simplified
        return known
    _check_widths(op, width, args)
    simple = _simplify(op, width, args, number)
    if simple is not None:
        return simple
    return _known.setdefault(key, Value(op, width, args, number, name))


def _check_widths(op: Op, width: int, args: tuple[Value, ...]) -> None:
    widths = [arg.width for arg in args]
    if op is Op.SELECT:
        fit = widths[0] == 1 and widths[1] == widths[2]
    elif op is Op.CONCAT:
        fit = sum(widths) == width
    else:
        fit = len(set(widths)) <= 1
    if not fit:
        raise ValueError(f"{op.value} of values of {widths} bits")


def _simplify(op: Op, width: int, args: tuple[Value, ...], number: int) -> Value | None:
    """A simpler expression of the same value; None when this is simple."""
    if args and all(arg.op is Op.CONST for arg in args):
        return const(_INTS[op](args, width, number, *(arg.number for arg in args)), width)
    match op, args:
        case Op.EXTRACT, (whole,) if whole.width == width:
            return whole
        case Op.EXTRACT, (Value(op=Op.CONCAT, args=(high, low)),):
            if number + width <= low.width:
                return low[number : number + width]
            if number >= low.width:
                return high[number - low.width : number - low.width + width]
        case Op.EXTRACT, (Value(op=Op.EXTRACT, number=below, args=(whole,)),):
            return whole[below + number : below + number + width]
        case Op.SELECT, (condition, then, otherwise):
            if condition.op is Op.CONST:
                return then if condition.number else otherwise
            if then is otherwise:
                return then
        case ((Op.ADD | Op.SUB | Op.OR | Op.XOR), (value, Value(op=Op.CONST, number=0))):
            return value
        case ((Op.ADD | Op.OR | Op.XOR), (Value(op=Op.CONST, number=0), value)):
            return value
        case (Op.AND, (Value(op=Op.CONST, number=0) as zero, _)) | (
            Op.AND,
            (_, Value(op=Op.CONST, number=0) as zero),
        ):
            return zero
    return None


_INTS: Mapping[Op, Callable[..., int]] = {
    # what each operator means for ints; results are cut to the width by const()
    Op.NOT: lambda args, width, number, a: ~a,
    Op.AND: lambda args, width, number, a, b: a & b,
    Op.OR: lambda args, width, number, a, b: a | b,
    Op.XOR: lambda args, width, number, a, b: a ^ b,
    Op.ADD: lambda args, width, number, a, b: a + b,
    Op.SUB: lambda args, width, number, a, b: a - b,
    Op.EQUAL: lambda args, width, number, a, b: a == b,
    Op.LESS: lambda args, width, number, a, b: a < b,
    Op.SELECT: lambda args, width, number, c, a, b: a if c else b,
    Op.CONCAT: lambda args, width, number, a, b: a << args[1].width | b,
    Op.EXTRACT: lambda args, width, number, a: a >> number,
}


def evaluate(value: Value, registers: Mapping[str, int], inputs: Mapping[int, int]) -> int:
    """What an expression is for given numbers: slow, and what every engine is compared with."""
    done: dict[int, int] = {}

    def number_of(v: Value) -> int:
        if id(v) not in done:
            match v.op:
                case Op.CONST:
                    number = v.number
                case Op.REGISTER:
                    number = registers[v.name]
                case Op.INPUT:
                    number = inputs.get(v.number, 0)
                case _:
                    number = _INTS[v.op](v.args, v.width, v.number, *map(number_of, v.args))
            done[id(v)] = number & ((1 << v.width) - 1)
        return done[id(v)]

    return number_of(value)


def substitute(value: Value, known: Mapping[Value, Value], done: dict[Value, Value]) -> Value:
    """The expression with known values in place of some registers or inputs, simplified.

    ``done`` keeps what was found, for further expressions with the same ``known``.
    """
    if value in done:
        return done[value]
    if value in known:
        result = known[value]
    elif value.args:
        args = tuple(substitute(arg, known, done) for arg in value.args)
        result = _make(value.op, value.width, args, value.number, value.name)
    else:
        result = value
    done[value] = result
    return result
