"""What an instruction does to registers and memory, as expressions of what was there before.

It comes from the microcode. A byte of memory at a fixed address is a variable like a register;
``cell`` gives its name. Where an instruction stands does not matter here: the graph knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache

from romproof.engine.recompiled.discover import PlacedInstruction, place
from romproof.isa.algebra import Op, Value, const, input_of, register, substitute
from romproof.isa.cpus import cpu_named
from romproof.isa.flow import Flow
from romproof.isa.microcode import Microcode, StepKind

_UNTRACKED = ("pc", "interrupt", "mode", "ime")
"""Registers that say how the next instruction begins."""

_LONGEST = 4
"""Bytes that an instruction takes at most, and one to spare."""


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression, and the variables in it by name."""

    value: Value
    needs: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Store:
    """A byte ``value`` that is written at ``address``."""

    address: Formula
    value: Formula


@dataclass(frozen=True)
class Effect:
    """What an instruction does.

    ``results`` are the registers that change and what they become, ``stores`` what is written.
    ``reads`` are the addresses from which the inputs in these expressions come, by name.
    ``condition`` is 1 when a conditional jump, call or return takes place; None for others, and
    where it is not known. ``extra`` is 1 when the conditional cycle of an access takes place.
    """

    results: tuple[tuple[str, Formula], ...] = ()
    stores: tuple[Store, ...] = ()
    reads: Mapping[str, Formula] = field(default_factory=dict)
    condition: Formula | None = None
    extra: Formula | None = None


class VariableKind(Enum):
    """What a variable stands for that is no register."""

    BYTE = auto()
    """A byte of memory; ``number`` is its address."""
    READ = auto()
    """What a step of an instruction reads; ``number`` is that of the step."""
    ENTRY = auto()
    """What a register or a byte holds where the code is entered."""
    UNKNOWN = auto()
    """A register or a byte of which nothing is known."""


class Variable(str):
    """The name of a variable that is no register: it knows what it stands for."""

    __slots__ = ("kind", "number")

    kind: VariableKind
    number: int

    def __new__(cls, text: str, kind: VariableKind, number: int = 0) -> Variable:
        variable = super().__new__(cls, text)
        variable.kind, variable.number = kind, number
        return variable

    def __reduce__(self) -> tuple[type[Variable], tuple[str, VariableKind, int]]:
        return Variable, (str(self), self.kind, self.number)


@cache
def cell(address: int) -> Variable:
    """The variable that a byte of memory is."""
    return Variable(f"${address:04X}", VariableKind.BYTE, address)


@cache
def read_by(step: int) -> Variable:
    """The variable that stands for what a step of an instruction reads."""
    return Variable(f"#{step}", VariableKind.READ, step)


@cache
def at_entry(name: str) -> Variable:
    """The variable for what a register or a byte holds where the code is entered."""
    return Variable(f"={name}", VariableKind.ENTRY)


@cache
def not_known(name: str) -> Variable:
    """The variable for a register or a byte of which nothing is known."""
    return Variable(f"?{name}", VariableKind.UNKNOWN)


def kind_of(name: str) -> VariableKind | None:
    """What a variable stands for; None for a register."""
    return name.kind if isinstance(name, Variable) else None


def cell_address(name: str) -> int | None:
    """The address of a variable in memory; None for others."""
    if isinstance(name, Variable) and name.kind is VariableKind.BYTE:
        return name.number
    return None


def nodes(value: Value) -> list[Value]:
    """All different expressions within one, itself included."""
    reached, work = {value}, [value]
    while work:
        for arg in work.pop().args:
            if arg not in reached:
                reached.add(arg)
                work.append(arg)
    return list(reached)


def formula(value: Value) -> Formula:
    """An expression with its variables."""
    needs: dict[str, Value] = {}
    for node in nodes(value):
        if node.op is Op.REGISTER:
            needs[node.name] = node
        elif node.op is Op.INPUT:
            needs[read_by(node.number)] = node
    return Formula(value, needs)


@cache
def effect_of(cpu_name: str, code: bytes) -> Effect:
    """What the instruction with these bytes does; nothing for one that rests or locks the CPU."""
    cpu = cpu_named(cpu_name)
    placed = place(cpu, code.ljust(_LONGEST, b"\0"), 0)
    if placed is None:
        return Effect()
    last = placed.parts[-1]  # a prefix before it only moves on
    known, reads = _inputs(last)

    def put(value: Value) -> Formula:
        return formula(_without_same(substitute(value, {}, known)))

    opcode = cpu.opcodes[placed.number]
    if opcode.flow is not Flow.NEXT:
        condition = _condition(placed) if opcode.conditional else None
        return Effect(condition=None if condition is None else put(condition))
    return Effect(
        results=tuple((name, put(v)) for name, v in last.results if name not in _UNTRACKED),
        stores=tuple(_stores(last, put)),
        reads={read_by(number): put(address) for number, address in reads.items()},
        extra=next((put(s.when) for s in last.steps if s.kind.is_cycle and s.when), None),
    )


def _without_same(value: Value) -> Value:
    """An expression in which nothing is combined with itself to nothing, as in ``xor a``."""
    nothing: dict[Value, Value] = {
        node: const(0, node.width)
        for node in nodes(value)
        if node.op in (Op.XOR, Op.SUB) and node.args[0] is node.args[1]
    }
    return substitute(value, nothing, {}) if nothing else value


def _inputs(microcode: Microcode) -> tuple[dict[Value, Value], dict[int, Value]]:
    """The variables that some inputs are, and the addresses of the others by their number."""
    known: dict[Value, Value] = {}
    reads: dict[int, Value] = {}
    for number, step in enumerate(microcode.steps):
        if step.kind is StepKind.READ and step.address is not None:
            if step.address.op is Op.CONST:
                known[input_of(number, 8)] = register(cell(step.address.number), 8)
            else:
                reads[number] = step.address
    return known, reads


def _stores(microcode: Microcode, put: Callable[[Value], Formula]) -> list[Store]:
    return [
        Store(put(step.address), put(step.value))
        for step in microcode.steps
        if step.kind is StepKind.WRITE and step.address is not None and step.value is not None
    ]


def _condition(placed: PlacedInstruction) -> Value | None:
    """The condition that chooses where the instruction leads."""
    return placed.target.args[0] if placed.target.op is Op.SELECT else None
