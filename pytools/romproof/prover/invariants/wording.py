"""Conditions as contracts write them: expressions become text, and text conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from romproof.contract.names.names import ScopeNames
from romproof.contract.nouns.expr import (
    All,
    Binary,
    Comparison,
    Condition,
    Expression,
    FlagValue,
    Logic,
    MemoryByte,
    MemoryValue,
    Negative,
    Not,
    Number,
    Old,
    PairValue,
    PointedByte,
    RegisterValue,
    Sum,
    Variable,
)
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract, Decrease, Invariant
from romproof.contract.reading.clauses import Clauses
from romproof.contract.text.blocks import FieldText
from romproof.contract.text.definitions import TextPiece
from romproof.program.image import Image, UnknownSymbol
from romproof.text.diagnostic import Diagnostics
from romproof.text.span import Source, Span

NOTHING_KNOWN = "0 == 0"
"""What an invariant says that says nothing: the place is cut all the same."""


@dataclass(frozen=True)
class Wording:
    """What reads the fields of one contract: names mean there what they mean in its own."""

    contract: Contract
    names: ScopeNames
    declared: dict[str, MemoryRange] = field(repr=False)

    def invariant(self, label: str, address: int, text: str) -> Invariant | None:
        """``invariant: LABEL: TEXT`` at an address; None where that is not a condition."""
        faults = Diagnostics()
        made = self._clauses(faults).invariants([_field("invariant", f"{label}: {text}")])
        if faults.items or len(made) != 1 or made[0].addresses != (address,):
            return None
        return made[0]

    def condition(self, label: str, address: int, text: str) -> Condition | None:
        """A single condition; None where the text is none."""
        made = self.invariant(label, address, text)
        return made.conditions[0] if made is not None and len(made.conditions) == 1 else None

    def decrease(self, label: str, invariant: Invariant, text: str) -> Decrease | None:
        """``decreases: LABEL: TEXT``; None where that is not a number."""
        faults = Diagnostics()
        one = _field("decreases", f"{label}: {text}")
        made = self._clauses(faults).decreases([one], [invariant])
        return made[0] if made and not faults.items else None

    def label(self, address: int) -> str | None:
        """How a contract names the place at an address: the label alone where only one has the
        name, else with its number; where none stands, by how far it is behind the last label of
        the routine. None where that is none."""
        own = self._find_label(address)
        if own is not None:
            return own
        for before in range(address - 1, self.names.routine.value - 1, -1):
            own = self._find_label(before)
            if own is not None:
                text = f"{own}+{address - before}"
                return text if self._places(text) == (address,) else None
        return None

    def _find_label(self, address: int) -> str | None:
        routine = self.names.routine.name
        for symbol in self._symbols(address):
            name = symbol
            for short in (
                name.removeprefix(routine) if name.startswith(f"{routine}.") else "",
                "@" + name.rpartition("@")[2] if "@" in name else "",
                name.removeprefix(f"{routine}::"),
                name,
            ):
                if not short:
                    continue
                places = self._places(short)
                if places == (address,):
                    return short
                if address in places:
                    return f"{short}#{places.index(address) + 1}"
        return None

    def _symbols(self, address: int) -> list[str]:
        image = self.names.image
        every = (*image.symbols, *image.macro_labels)
        names = [s.name for s in every if s.is_label and s.value == address]
        # a local label says more than the routine's own name
        return sorted(names, key=lambda name: not any(mark in name for mark in "@."))

    def _places(self, name: str) -> tuple[int, ...]:
        faults = Diagnostics()
        return self.names.with_diagnostics(faults).labels(name, self.contract.span)

    def _clauses(self, faults: Diagnostics) -> Clauses:
        blocks = {pointer.name: pointer for pointer in self.contract.pointers}
        return Clauses(
            self.names.with_diagnostics(faults), self.declared, None, faults, blocks=blocks
        )


def make_wording(image: Image, contract: Contract, address: int) -> Wording | None:
    """What reads further fields of a contract; None where the program has no routine there."""
    try:
        symbol = image.symbol(contract.name)
    except UnknownSymbol:  # a piece of code has a name of its own
        label = image.label_at(address)
        if label is None:
            return None
        symbol = label
    declared: dict[str, MemoryRange] = {}
    for item in (*contract.inputs, *contract.outputs, *contract.clobbers):
        if isinstance(item, MemoryRange):
            other = declared.get(item.name, item)
            declared[item.name] = max(item, other, key=lambda each: each.size)
    return Wording(contract, ScopeNames(image, symbol, Diagnostics()), declared)


def _field(name: str, text: str) -> FieldText:
    source = Source("the inferred contract", f"; {name}: {text}\n")
    span = Span(source, 1, 1)
    return FieldText(name, span, (TextPiece(text, Span(source, 1, 1, max(len(text), 1))),))


# ---------------------------------------------------------------- text


_AS_IT_IS: Mapping[str, str] = {}
"""The substitution that changes nothing."""
_SIMPLE = (
    Number, RegisterValue, PairValue, FlagValue, MemoryValue, MemoryByte, PointedByte, Variable,
    Old,
)  # fmt: skip
"""What needs no parentheses."""


def write_expression(expression: Expression, names: Mapping[str, str] = _AS_IT_IS) -> str:
    """An expression as contracts write it; what needs parentheses has them.

    ``names`` is a substitution: what is written in place of a part of it, by how that part is
    written. Of what was at the entry, which is written with ``old``, it has the whole or nothing.
    """
    if names:
        plain = write_expression(expression)
        if plain in names:
            return names[plain]
    match expression:
        case Number(value):
            return str(value)
        case RegisterValue():
            return expression.register.name
        case PairValue():
            return expression.name
        case FlagValue():
            return expression.flag.name
        case MemoryValue():
            return expression.memory.name
        case MemoryByte():
            return f"{expression.memory.name}[{write_expression(expression.index, names)}]"
        case PointedByte():
            return f"{expression.name}[{write_expression(expression.index, names)}]"
        case Variable():
            return expression.name.rstrip("'")
        case Old():
            return f"old {_inside(expression.inner)}"
        case Negative():
            return f"-{_inside(expression.inner, names)}"
        case Not():
            return f"not {_inside(expression.inner, names)}"
        case Binary() | Comparison() | Logic():
            left, right = _inside(expression.left, names), _inside(expression.right, names)
            return f"{left} {expression.operator} {right}"
        case All():
            name = expression.variable.rstrip("'")
            limits = f"{expression.low}..{expression.high}"
            return f"all {name} in {limits}: {write_expression(expression.body, names)}"
        case Sum():
            name = expression.variable.rstrip("'")
            limits = f"{expression.low}..{expression.high}"
            return f"sum {name} in {limits}: {write_expression(expression.body, names)}"


def _inside(expression: Expression, names: Mapping[str, str] = _AS_IT_IS) -> str:
    text = write_expression(expression, names)
    return text if isinstance(expression, _SIMPLE) else f"({text})"


def join_conditions(parts: Iterable[str]) -> str:
    """Conditions that hold together, as one list."""
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A condition that limits one number, ``low`` to ``high``; ``text`` is the number as the
    contract writes it."""

    expression: Expression
    text: str
    low: int
    high: int


def match_range(condition: Condition) -> Bounded | None:
    """``NUMBER in LOW..HIGH``; None of a condition of another form."""
    match condition.expression:
        case Logic(
            "and",
            Comparison("<=", Number(low), expression),
            Comparison("<=", other, Number(high)),
        ) if expression == other:
            return Bounded(expression, _text_before(condition, " in ", expression), low, high)
    return None


def match_equation(condition: Condition) -> Bounded | None:
    """``NUMBER == CONSTANT``; None of a condition of another form."""
    match condition.expression:
        case Comparison("==", expression, Number(value)):
            text = _text_before(condition, " == ", expression)
            return Bounded(expression, text, value, value)
    return None


def _text_before(condition: Condition, sign: str, expression: Expression) -> str:
    """What stands before a sign in a condition of contracts; of one in other words, the same as
    ours are."""
    text, found, _ = condition.text.partition(sign)
    return text if found else write_expression(expression)
