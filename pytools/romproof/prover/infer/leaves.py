"""What a routine with loops that are cut leaves in registers, as ``ensures:`` says it.

Callers know no more of such a routine than its contract: not where the pointer is that it has
moved, nor that its counter is 0. Both are sought here: where a pointer would be in one more
iteration than there are, and registers that have one value in the end. It is proposed, and proved
like all of a contract; of an equation nothing can be left out, so it needs no execution that shows
it tight.
"""

from __future__ import annotations

from collections.abc import Iterator

from romproof.contract.nouns.expr import Comparison, Condition
from romproof.isa.abi import Register
from romproof.prover.infer.addresses import Need
from romproof.prover.infer.draft import Draft
from romproof.prover.infer.subject import Subject
from romproof.prover.routines.routine import Explored
from romproof.prover.states.entry import register_name
from romproof.prover.states.view import number_of, term_of
from romproof.symbolic.execute.state import State
from romproof.symbolic.numbers.integers import bits
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term
from romproof.text.diagnostic import BuildFailed


def equations_of(subject: Subject, explored: Explored, draft: Draft) -> Iterator[str]:
    """Conditions that hold when the routine returns, of its outputs; those of pointers that go on
    with a loop first."""
    leaves = _Leaves(subject, explored, draft)
    abi, told = subject.program.abi, set[str]()
    for need in draft.counts:
        halves = frozenset(pair := abi.pairs.get(need.begins.lower(), ()))
        # the upper half may stay what it was
        if need.begins and halves & draft.outputs and not halves & (told | draft.clobbers):
            text = leaves.move(need, *pair)
            if text is not None:
                told.update(halves)
                yield text
    for item in abi.contents:
        name = register_name(abi, item)
        if isinstance(item, Register) and name in draft.outputs - told:
            number = leaves.find_common([leg.get(name) for leg in leaves.ends])
            if number is not None:
                yield f"{item.name} == {number}"


class _Leaves:
    def __init__(self, subject: Subject, explored: Explored, draft: Draft) -> None:
        self._subject, self._explored, self._draft = subject, explored, draft
        self.ends: list[State] = [leg.at for leg in explored.exploration.returning_legs()]

    def move(self, need: Need, high: str, low: str) -> str | None:
        """Where a pointer is in the end of which a requirement says where it is in the last
        iteration; None where that is not always as much further."""
        entry, abi = self._explored.exploration.entry, self._subject.program.abi
        said = self._condition(f"{need.begins} == old ({need.text})")
        if said is None or not isinstance(said.expression, Comparison):
            return None
        last = bits(number_of(said.expression.right, abi, entry, entry), 16)
        further = self.find_common(
            [t.sub(t.concat(e.get(high), e.get(low)), last) for e in self.ends]
        )
        if further is None:
            return None
        sign, far = ("+", further) if further < 0x8000 else ("-", 0x10000 - further)
        text = f"{need.begins} == old ({need.text} {sign} {far})"
        equation = self._condition(text)
        return text if equation is not None and self._holds(equation) else None

    def _condition(self, text: str) -> Condition | None:
        try:
            return self._subject.contract(self._draft.with_ensures([text])).ensures[0]
        except BuildFailed:
            return None

    def _holds(self, condition: Condition) -> bool:
        entry, abi = self._explored.exploration.entry, self._subject.program.abi
        oracle = self._explored.case.oracle
        return all(oracle.holds(at.path, term_of(condition, abi, at, entry)) for at in self.ends)

    def find_common(self, values: list[Term]) -> int | None:
        """The number that a term is in each end, one for each; None where there is none."""
        oracle, numbers = self._explored.case.oracle, set[int]()
        try:
            for at, value in zip(self.ends, values, strict=True):
                number = value.number if value.is_const else oracle.example(at.path, t.TRUE, value)
                if number is None:
                    continue  # no input comes to that end
                numbers.add(number)
                equal = t.eq(value, t.const(number, value.width))
                if len(numbers) > 1 or oracle.always(at.path, equal) is not None:
                    return None
        except Undecided:
            return None
        return numbers.pop() if numbers else None
