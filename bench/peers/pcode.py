"""P-code, the register transfers of Ghidra's SLEIGH, executed for one instruction.

The operations come from elsewhere (sleigh.py takes them from pypcode): this needs nothing but
Python. All spaces are little-endian and addresses wrap at the end of a space, as SLEIGH says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

RAM, REGISTER, UNIQUE, CONST = "ram", "register", "unique", "const"
_MASKS: Mapping[str, int] = {RAM: 0xFFFF, REGISTER: 0xFFFFFFFF, UNIQUE: 0xFFFFFFFF}


class NotModelled(Exception):
    """The model leaves the instruction, or a part of it, open: it has no meaning to execute."""


@dataclass(frozen=True, slots=True)
class Place:
    """A value's place: ``size`` bytes from ``offset`` on; in the space CONST the value itself."""

    space: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Op:
    """An operation, named as in SLEIGH. LOAD and STORE go to ``space``, CALLOTHER to ``called``."""

    name: str
    inputs: tuple[Place, ...]
    output: Place | None = None
    space: str = ""
    called: str = ""


@dataclass
class State:
    """The bytes of all spaces; what was never written is 0, of RAM what ``ram`` says."""

    ram: MutableMapping[int, int]
    register: dict[int, int] = field(default_factory=dict)
    unique: dict[int, int] = field(default_factory=dict)

    def read(self, place: Place) -> int:
        """The number there."""
        if place.space == CONST:
            return place.offset & _mask(place.size)
        found, mask = self._space(place.space), _MASKS[place.space]
        return sum((found.get(place.offset + i & mask) or 0) << 8 * i for i in range(place.size))

    def write(self, place: Place, value: int) -> None:
        """Put a number there, as many of its low bytes as there is room for."""
        found, mask = self._space(place.space), _MASKS[place.space]
        for i in range(place.size):
            found[place.offset + i & mask] = value >> 8 * i & 0xFF

    def _space(self, name: str) -> MutableMapping[int, int]:
        if name == RAM:
            return self.ram
        return self.register if name == REGISTER else self.unique


def execute(ops: Sequence[Op], state: State, following: int) -> int:
    """Execute the operations of one instruction; the address that execution goes on at.

    ``following`` is that of the instruction behind. Raises NotModelled.
    """
    at = 0
    steps = 0
    while 0 <= at < len(ops):
        steps += 1
        if steps > 10_000:
            raise NotModelled("an endless loop within an instruction")
        op = ops[at]
        target = _jump(op, state)
        if target is None:
            _perform(op, state)
            at += 1
        elif target.space == CONST:  # so many operations on, or back
            at += _signed(target.offset, target.size)
        else:
            return target.offset & 0xFFFF
    return following & 0xFFFF


def _jump(op: Op, state: State) -> Place | None:
    """Where an operation leads, if it does not go on with the next one."""
    match op.name:
        case "BRANCH" | "CALL":
            return op.inputs[0]
        case "CBRANCH":
            return op.inputs[0] if state.read(op.inputs[1]) else None
        case "BRANCHIND" | "CALLIND" | "RETURN":
            return Place(RAM, state.read(op.inputs[0]), 2)
    return None


def _perform(op: Op, state: State) -> None:
    match op.name:
        case "IMARK" | "CBRANCH":
            return
        case "CALLOTHER":
            raise NotModelled(f"{op.called}: no more than a name")
        case "LOAD":
            assert op.output is not None
            at = state.read(op.inputs[0])
            state.write(op.output, state.read(Place(op.space, at, op.output.size)))
            return
        case "STORE":
            at, value = (state.read(place) for place in op.inputs)
            state.write(Place(op.space, at, op.inputs[1].size), value)
            return
    if op.name not in _VALUES or op.output is None:
        raise NotModelled(f"the operation {op.name}")
    size = op.inputs[0].size
    values = [state.read(place) for place in op.inputs]
    if op.name == "PIECE":  # the only one that asks for the size of the second
        values[0] <<= 8 * op.inputs[1].size
    if op.name in ("INT_SLESS", "INT_SLESSEQUAL", "INT_SDIV", "INT_SREM", "INT_SRIGHT", "INT_SEXT"):
        values[0] = _signed(values[0], size)
        if op.name not in ("INT_SRIGHT", "INT_SEXT"):
            values[1] = _signed(values[1], size)
    state.write(op.output, int(_VALUES[op.name](size, *values)))


def _mask(size: int) -> int:
    return (1 << 8 * size) - 1


def _signed(value: int, size: int) -> int:
    value &= _mask(size)
    return value - (1 << 8 * size) if value >> 8 * size - 1 else value


def _overflows(total: int, size: int) -> bool:
    return not -(1 << 8 * size - 1) <= total < 1 << 8 * size - 1


def _towards_zero(a: int, b: int) -> int:
    if b == 0:
        raise NotModelled("a division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_Value = Callable[..., int]
_VALUES: Mapping[str, _Value] = {  # of the size of the first input, and the inputs
    "COPY": lambda s, a: a,
    "CAST": lambda s, a: a,
    "INT_ADD": lambda s, a, b: a + b,
    "INT_SUB": lambda s, a, b: a - b,
    "INT_MULT": lambda s, a, b: a * b,
    "INT_DIV": lambda s, a, b: _towards_zero(a, b),
    "INT_REM": lambda s, a, b: a - b * _towards_zero(a, b),
    "INT_SDIV": lambda s, a, b: _towards_zero(a, b),
    "INT_SREM": lambda s, a, b: a - b * _towards_zero(a, b),
    "INT_AND": lambda s, a, b: a & b,
    "INT_OR": lambda s, a, b: a | b,
    "INT_XOR": lambda s, a, b: a ^ b,
    "INT_NEGATE": lambda s, a: ~a,
    "INT_2COMP": lambda s, a: -a,
    "INT_LEFT": lambda s, a, b: a << min(b, 8 * s),
    "INT_RIGHT": lambda s, a, b: a >> min(b, 8 * s),
    "INT_SRIGHT": lambda s, a, b: a >> min(b, 8 * s),
    "INT_ZEXT": lambda s, a: a,
    "INT_SEXT": lambda s, a: a,
    "INT_EQUAL": lambda s, a, b: a == b,
    "INT_NOTEQUAL": lambda s, a, b: a != b,
    "INT_LESS": lambda s, a, b: a < b,
    "INT_LESSEQUAL": lambda s, a, b: a <= b,
    "INT_SLESS": lambda s, a, b: a < b,
    "INT_SLESSEQUAL": lambda s, a, b: a <= b,
    "INT_CARRY": lambda s, a, b: a + b > _mask(s),
    "INT_SCARRY": lambda s, a, b: _overflows(_signed(a, s) + _signed(b, s), s),
    "INT_SBORROW": lambda s, a, b: _overflows(_signed(a, s) - _signed(b, s), s),
    "BOOL_NEGATE": lambda s, a: not a,
    "BOOL_AND": lambda s, a, b: bool(a and b),
    "BOOL_OR": lambda s, a, b: bool(a or b),
    "BOOL_XOR": lambda s, a, b: bool(a) != bool(b),
    "PIECE": lambda s, a, b: a | b,
    "SUBPIECE": lambda s, a, b: a >> 8 * b,
    "POPCOUNT": lambda s, a: a.bit_count(),
    "LZCOUNT": lambda s, a: 8 * s - a.bit_length(),
}
