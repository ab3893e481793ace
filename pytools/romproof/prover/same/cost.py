"""What two versions of a routine cost, beside each other: cycles on each input, bytes, stack, and
what they destroy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.isa.codec import decode
from romproof.prover.replay.judge import Case
from romproof.prover.states.entry import register_name
from romproof.symbolic.execute.state import CYCLE_BITS
from romproof.symbolic.solve.answer import AnswerKind
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class VersionCost:
    """What one version takes: ``cycles`` at least and at most (None: not known) of inputs that both
    allow, SM83: M-cycles; ``code`` bytes of the instructions on any of its paths, those of callees
    too, tables not; ``stack`` bytes; ``changes`` are the registers, flags and memory besides the
    outputs that some input finds changed."""

    cycles: Range | None
    code: int
    stack: int
    changes: tuple[str, ...]


def cost_of(
    case: Case, oracle: Oracle, path: Sequence[Term], cycles: Term, outputs: frozenset[str]
) -> VersionCost:
    """The cost of a routine that was executed. ``path`` and ``cycles`` are what ``oracle`` knows;
    ``outputs`` have the names of what is compared. Raises OutOfTime."""
    limits: Range | None
    try:
        least = oracle.least(path, cycles).value(cycles)
        limits = least, oracle.most(path, cycles).value(cycles)
    except Undecided:
        limits = None
    stack = -min(leg.at.lowest for leg in case.legs)
    return VersionCost(limits, _code(case), stack, tuple(_changes(case, outputs)))


def difference(oracle: Oracle, path: Sequence[Term], one: Term, other: Term) -> Range | None:
    """How many cycles the other takes more than the first, at least and at most over all inputs;
    None where that is not known. Raises OutOfTime."""
    # both are counted from where the difference cannot be negative
    base = other.low - one.high
    more = t.sub(t.add(other, t.const(-base & (1 << CYCLE_BITS) - 1, CYCLE_BITS)), one)
    try:
        least = oracle.least(path, more).value(more)
        return least + base, oracle.most(path, more).value(more) + base
    except Undecided:
        return None


def _code(case: Case) -> int:
    program = case.program
    return sum(
        instruction.opcode.size
        for address in case.exploration.executed
        if (instruction := decode(program.fixed[address : address + 3], address, program.abi.cpu))
        is not None
    )


def _changes(case: Case, outputs: frozenset[str]) -> Iterator[str]:
    """What is not as it was found for some input, or what nobody could decide; outputs apart."""
    start = case.start
    for item in case.abi.contents:
        name = register_name(case.abi, item)
        if item.name in outputs:
            continue
        for leg in case.exploration.returning_legs():
            same = case.oracle.equal(start.find_preserved(item), leg.at.get(name), leg.at.path)
            if same.kind is not AnswerKind.UNSAT:
                yield item.name
                break
    changed = dict[str, None]()
    for leg in case.exploration.returning_legs():
        memory, before = leg.at.memory, case.entry.memory
        for address, value in memory.changed_bytes().items():
            if (
                case.oracle.equal(before.byte(address), value, leg.at.path).kind
                is not AnswerKind.UNSAT
            ):
                which = start.layout.object_at(address)
                changed[which.name if which else case.program.name_at(address)] = None
        for which, array in memory.changed_arrays().items():
            if array is not before.array(which):
                changed[which.name] = None
    yield from (name for name in changed if name not in outputs)
