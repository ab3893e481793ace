"""Invariants for loops that are not executed to their end: found, and handed to the prover.

The argument stands in the head page: ``romproof.prover.invariants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from romproof.contract.nouns.expr import Condition
from romproof.contract.nouns.model import Contract, Decrease, Invariant
from romproof.prover.catalogue import Reason
from romproof.prover.conditions.termination import decreases_at
from romproof.prover.conditions.waits import find_waiting_cuts
from romproof.prover.invariants.going import going_on
from romproof.prover.invariants.heads import Head, immediates, loops_of
from romproof.prover.invariants.houdini import Candidates, drop_implied, find_inductive
from romproof.prover.invariants.quantities import (
    WIDE,
    Quantity,
    address_operand,
    entry_operand,
    find_moving,
    number_operand,
    quantities,
)
from romproof.prover.invariants.samples import filter_candidates, inputs
from romproof.prover.invariants.templates import Shapes, propose_decreasing
from romproof.prover.invariants.wording import NOTHING_KNOWN, Wording, join_conditions, make_wording
from romproof.prover.replay.judge import Case
from romproof.prover.states.program import ProofProgram
from romproof.symbolic.execute.events import LongLoop, Unfinished
from romproof.symbolic.solve.oracle import Undecided
from romproof.text.messages import Message

MAX_HEADS = 6
"""Loops of one routine that are cut."""
MAX_CANDIDATES = 400
"""Candidates of one kind for one loop."""

Execute = Callable[[Contract], Case]
"""What executes a routine with a contract: all paths, and who is to be asked about them."""


@dataclass(frozen=True, slots=True)
class LoopLine:
    """A line of a contract that is about one label: ``field: label: text``."""

    field: str
    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.field}: {self.label}: {self.text}"


@dataclass(frozen=True)
class WithInvariants:
    """``contract`` with invariants added; ``lines`` are these as a contract writes them."""

    contract: Contract
    lines: tuple[LoopLine, ...]

    def advise(self, why: Message | None, in_time: bool) -> Message:
        """Why something is not proved, with them to begin with; the time having been enough to see
        that they do not prove it, or not."""
        kind = Reason.INVARIANT_TOO_WEAK if in_time else Reason.INVARIANT_UNTRIED
        return kind(why=why, lines=tuple(f"'; {line}'" for line in self.lines))


def may_infer(contract: Contract) -> bool:
    """Whether invariants may be added to a contract: not where callees have to be executed in
    step, nor where the contract counts iterations."""
    return not contract.secrets and not contract.loops


def find_invariants(
    program: ProofProgram,
    contract: Contract,
    address: int,
    first: int,
    execute: Execute,
    cells: bool = True,
    few: bool = False,
) -> WithInvariants | None:
    """The contract of the routine at ``address`` with invariants for the loop around the
    instruction at ``first``, and for others that have to be cut; None where none were found.
    Without ``cells`` they say nothing of the cells of arrays; ``few`` of those that there may be
    are tried, which takes a part of the time.

    Raises what ``execute`` raises, but for Unfinished and Undecided.
    """
    wording = make_wording(program.image, contract, address)
    if wording is None:
        return None
    search = _Search(program, contract, address, execute, wording, {}, cells, few)
    try:
        return search.run(first)
    except (Unfinished, Undecided):
        return None


@dataclass(frozen=True)
class _Search:
    program: ProofProgram
    contract: Contract
    address: int
    execute: Execute
    wording: Wording
    heads: dict[int, Head]
    cells: bool = True
    few: bool = False

    def run(self, first: int) -> WithInvariants | None:
        case = self._cut(first)
        if case is None:
            return None
        waits = find_waiting_cuts(case.exploration)
        simple = self._judge(
            case, self._candidates(case, lambda shapes: shapes.propose_simple()), {}
        )
        if simple is None:
            return None
        known, case = simple
        if (
            find_waiting_cuts(case.exploration) != waits
        ):  # what is read is known to be a port by now
            simple = self._judge(
                case, self._candidates(case, lambda shapes: shapes.propose_simple()), known
            )
            if simple is None:
                return None
            known, case = simple
        if not self.cells:
            return self._result(case, known)
        more = self._candidates(case, lambda shapes: shapes.of_arrays())
        if any(more.values()):
            both = self._judge(case, more, known)
            if both is None:
                return None
            known, case = both
        return self._result(case, known)

    def _cut(self, pc: int) -> Case | None:
        """The routine executed with all loops cut that have to be."""
        while len(self.heads) < MAX_HEADS:
            loops = loops_of(self.program, self.address, pc)
            loop = next((each for each in loops if each[0] not in self.heads), None)
            if loop is None:
                return None
            if any(loop[0] in each.addresses for each in self.contract.invariants):
                return None
            label = self.wording.label(loop[0])
            if label is None:
                return None
            self.heads[loop[0]] = Head(loop[0], loop[1], label)
            try:
                return self.execute(self._with({}))
            except LongLoop as longer:
                pc = longer.pc
        return None

    def _with(self, known: Candidates) -> Contract:
        """The contract with invariants at all heads."""
        invariants = [
            Invariant(each.label, (each.address,), tuple(known.get(place, ())), self.contract.span)
            for place, each in self.heads.items()
        ]
        return replace(self.contract, invariants=(*self.contract.invariants, *invariants))

    def _candidates(
        self, case: Case, made: Callable[[Shapes], Iterable[str]]
    ) -> dict[int, list[Condition]]:
        every = quantities(case.start, self.contract, case.exploration)
        by_place: dict[int, list[Condition]] = {}
        for place, head in self.heads.items():
            if place not in case.exploration.cuts:
                continue
            shapes = self._shapes(case, head, every)
            conditions: list[Condition] = []
            for text in dict.fromkeys(made(shapes)):
                one = self.wording.condition(head.label, place, text)
                if one is not None:
                    conditions.append(replace(one, text=text))
                if len(conditions) >= MAX_CANDIDATES:
                    break
            by_place[place] = conditions
        return by_place

    def _shapes(self, case: Case, head: Head, every: Sequence[Quantity]) -> Shapes:
        going = find_moving(
            going_on(case.exploration, case.oracle), case.oracle, head.address, every
        )
        given = [each for each in every if self._is_input(each)]
        if not self.few:  # nothing is compared with the halves of what is listed as a pair
            halves = {name for each in given if len(each.names) > 1 for name in each.names}
            given = [each for each in given if len(each.names) > 1 or not halves & {*each.names}]
        fixed = [entry_operand(each) for each in given]
        fixed += map(number_operand, filter(None, immediates(self.program, head.body)))
        borders = [
            address_operand(case.exploration, border)
            for which in case.exploration.entry.memory.layout.objects
            if which.size > 2
            for border in (which.address, which.end)
        ]
        fixed, borders = list(dict.fromkeys(fixed)), list(dict.fromkeys(borders))
        words = frozenset(entry_operand(each) for each in every if each.width == WIDE)
        return Shapes(case.exploration, head.address, going, fixed, borders, self.few, words)

    def _is_input(self, what: Quantity) -> bool:
        names = what.names
        given = {str(item).partition("[")[0] for item in self.contract.inputs}
        given |= {getattr(item, "name", "") for item in self.contract.inputs}
        return what.text in given or all(name.upper() in given for name in names)

    def _judge(
        self,
        case: Case,
        candidates: Mapping[int, Sequence[Condition]],
        known: Candidates,
    ) -> tuple[dict[int, list[Condition]], Case] | None:
        given = inputs(case.exploration, case.oracle)
        left = filter_candidates(case.exploration, given, candidates)
        both = {place: [*known.get(place, ()), *left.get(place, ())] for place in self.heads}
        return find_inductive(both, lambda some: self.execute(self._with(some)))

    def _result(self, case: Case, known: Candidates) -> WithInvariants:
        made: list[Invariant] = []
        numbers: list[Decrease] = []
        lines: list[LoopLine] = []
        every = quantities(case.start, self.contract, case.exploration)
        for place, head in self.heads.items():
            conditions = drop_implied(case, place, known.get(place, ()))
            text = join_conditions(each.text for each in conditions) or NOTHING_KNOWN
            one = self.wording.invariant(head.label, place, text)
            if one is None or place not in case.exploration.cuts:
                continue
            made.append(one)
            lines.append(LoopLine("invariant", head.label, text))
            for candidate in propose_decreasing(self._shapes(case, head, every)):
                number = self.wording.decrease(head.label, one, candidate)
                if number is not None and decreases_at(case, place, number):
                    numbers.append(number)
                    lines.append(LoopLine("decreases", head.label, candidate))
                    break
        contract = replace(
            self.contract,
            invariants=(*self.contract.invariants, *made),
            decreases=(*self.contract.decreases, *numbers),
        )
        return WithInvariants(contract, tuple(lines))
