"""Bytes of large tables as values of their own: what a copy moves is seldom what is asked for.

A question with them can hold wherever the question itself can, so where it cannot, neither can
that. An input that it is given counts if the tables have these bytes there; where they have others
it is asked once more, with what stands at the places that the input came to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from romproof.symbolic.solve.answer import UNSAT, Answer, AnswerKind
from romproof.symbolic.terms.compare import eq
from romproof.symbolic.terms.logic import not_, or_
from romproof.symbolic.terms.model import Model
from romproof.symbolic.terms.node import CONST, FALSE, LOOKUP, TRUE, Term, const, var
from romproof.symbolic.terms.walk import in_order, rebuild

LARGE = 1024
"""Bytes of a table from which on it is left out at first: it would be a formula of as many
choices."""
ROUNDS = 4
"""How often it is asked: places that are looked at one after the other say little of all."""
MAX_PAIRS = 100
"""Pairs of bytes of which is said that they are the same at the same place."""

Ask = Callable[[Sequence[Term]], Answer]


@dataclass(slots=True)
class Loosened:
    """Conditions in which bytes of tables are variables: each with its table and the index."""

    conditions: list[Term] = field(default_factory=list)
    bytes: list[tuple[bytes, Term, Term]] = field(default_factory=list)

    def answer(self, ask: Ask) -> Answer | None:
        """The answer to the question itself; None where this way comes to none."""
        conditions = [each for each in self.conditions if each is not TRUE]
        for _ in range(ROUNDS):
            if FALSE in conditions:
                return UNSAT
            answer = ask(conditions)
            if answer.kind is not AnswerKind.SAT or answer.model is None:
                return answer if answer.kind is AnswerKind.UNSAT else None
            wrong = list(self._wrong(answer.model))
            if not wrong:
                return Answer(AnswerKind.SAT, self._drop_bytes(answer.model))
            there = [*conditions, *self._there(answer.model)]
            if FALSE not in there:
                answer = ask([each for each in there if each is not TRUE])
                if answer.kind is AnswerKind.SAT and answer.model is not None:
                    return Answer(AnswerKind.SAT, self._drop_bytes(answer.model))
            conditions += [each for each in wrong if each is not TRUE]
        return None

    def _there(self, model: Model) -> list[Term]:
        """That all is read where an input reads it, and what stands there."""
        conditions = []
        for table, index, byte in self.bytes:
            place = model.value(index)
            content = table[place] if place < len(table) else 0
            conditions.append(eq(index, const(place, index.width)))
            conditions.append(eq(byte, const(content, 8)))
        return conditions

    def _wrong(self, model: Model) -> list[Term]:
        """What an input has otherwise than the tables, as conditions that say what they have."""
        conditions = []
        for table, index, byte in self.bytes:
            place = model.value(index)
            there = table[place] if place < len(table) else 0
            if model.value(byte) != there:
                elsewhere = not_(eq(index, const(place, index.width)))
                conditions.append(or_(elsewhere, eq(byte, const(there, 8))))
        return conditions

    def _drop_bytes(self, model: Model) -> Model:
        mine = {byte.name for _, _, byte in self.bytes}
        values = {name: value for name, value in model.values.items() if name not in mine}
        return Model(values, model.arrays)


def without_tables(conditions: Sequence[Term]) -> Loosened | None:
    """Conditions without large tables; None where there are none."""
    if not any(map(_is_large, in_order(conditions))):
        return None
    work = Loosened()
    done: dict[Term, Term] = {}
    for term in in_order(conditions):
        args = tuple(done[arg] for arg in term.args)
        if _is_large(term) and args[0].op is not CONST:
            byte = var(f"byte of a table {len(work.bytes)}", 8, term.low, term.high)
            work.bytes.append((term.table, args[0], byte))
            done[term] = byte
            continue
        same = all(new is old for new, old in zip(args, term.args, strict=True))
        done[term] = term if same else rebuild(term, args)
    work.conditions = [done[condition] for condition in conditions] + _agreements(work)
    return work


def _is_large(term: Term) -> bool:
    return term.op is LOOKUP and len(term.table) >= LARGE


def _agreements(work: Loosened) -> list[Term]:
    """At the same place of a table stands the same byte."""
    pairs = [
        (one, other)
        for number, one in enumerate(work.bytes)
        for other in work.bytes[:number]
        if one[0] == other[0] and one[1].width == other[1].width
    ]
    return [
        or_(not_(eq(one[1], other[1])), eq(one[2], other[2])) for one, other in pairs[:MAX_PAIRS]
    ]
