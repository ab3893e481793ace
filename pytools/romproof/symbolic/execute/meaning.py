"""What the algebra of the CPUs means for terms: values become terms, where they are needed.

A register of the state is a term, or one that is worked out only when somebody asks: most flags
that an instruction sets are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from romproof.isa.algebra import Op, Value
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

Registers = Mapping[str, "Term | Later"]


class Later:
    """A term that is not worked out yet."""

    __slots__ = ("_make", "_term")

    def __init__(self, make: Callable[[], Term]) -> None:
        self._make: Callable[[], Term] | None = make
        self._term: Term | None = None

    @property
    def known(self) -> Term | None:
        """The term if it was worked out."""
        return self._term

    def now(self) -> Term:
        """The term; worked out once."""
        if self._term is None:
            assert self._make is not None
            self._term = self._make()
            self._make = None  # lets go of what it came from
        return self._term


def now(value: Term | Later) -> Term:
    """The term itself."""
    return value.now() if isinstance(value, Later) else value


class Meaning:
    """The values of one instruction as terms: ``registers`` are those before it.

    ``inputs`` are what its steps brought so far, by the step's number; one that did not take
    place brought 0.
    """

    __slots__ = ("_known", "inputs", "registers")

    def __init__(self, registers: Registers) -> None:
        self.registers = registers
        self.inputs: dict[int, Term] = {}
        self._known: dict[Value, Term] = {}

    def of(self, value: Value) -> Term:
        """The term of a value whose inputs have been brought."""
        meaning = self._known.get(value)
        if meaning is None:
            meaning = self._known[value] = self._make(value)
        return meaning

    def later(self, value: Value) -> Later:
        """The same, when somebody asks for it."""
        return Later(lambda: self.of(value))

    def _make(self, value: Value) -> Term:
        op, args = value.op, value.args
        match op:
            case Op.CONST:
                return t.const(value.number, value.width)
            case Op.REGISTER:
                return now(self.registers[value.name])
            case Op.INPUT:
                return self.inputs.get(value.number) or t.const(0, value.width)
            case Op.SELECT:
                condition = self.of(args[0])
                if condition.is_const:  # the other side need not be worked out
                    return self.of(args[1] if condition.number else args[2])
                return t.ite(condition, self.of(args[1]), self.of(args[2]))
            case Op.EXTRACT:
                return t.extract(self.of(args[0]), value.number, value.width)
            case Op.NOT:
                return t.not_(self.of(args[0]))
        return _BINARY[op](self.of(args[0]), self.of(args[1]))


_BINARY: Mapping[Op, Callable[[Term, Term], Term]] = {
    Op.AND: t.and_,
    Op.OR: t.or_,
    Op.XOR: t.xor,
    Op.ADD: t.add,
    Op.SUB: t.sub,
    Op.EQUAL: t.eq,
    Op.LESS: t.ult,
    Op.CONCAT: t.concat,
}
