"""The same for routines with loops that are cut: no term says what such a run does from its
beginning to its end, so the inputs come from the ends of what is required, and all is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from romproof.contract.items import Item, MemoryRange
from romproof.prover.infer.settings import settings
from romproof.prover.infer.tight import Tight
from romproof.prover.invariants.samples import inputs
from romproof.prover.names import address_of
from romproof.prover.replay import LIMIT, Inputs, Run, execute, inputs_of
from romproof.prover.start import register_name
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

MOST_CYCLES = 1_000_000
"""What one run may take: a loop over all memory has some 60,000 iterations."""
MOST_CYCLES_OF_ALL = 6_000_000
"""What all runs of a routine may take together: the interpreter does so much in some seconds."""
_OTHERS = (1, 0x80, 0xFF, 2)
"""Values that an input is changed by, to see what comes of it."""


@dataclass
class InLoops(Tight):
    """The parts of a contract, each with the runs that show it."""

    spent: int = 0

    def open(self) -> Iterator[str]:
        """The parts that no run shows."""
        for given in self._inputs():
            self._try(given)
        yield from super().open()

    def _try(self, given: Inputs) -> Run | None:
        if self.spent > MOST_CYCLES_OF_ALL:
            return None
        self.case.oracle.solver.deadline.check()
        done = execute(self.case.start, given, [self._end], self._limit())
        self.spent += done.cycles
        if done.stopped:
            self.runs.append((given, done))
        return done if done.stopped else None

    def _limit(self) -> int:
        return max(LIMIT, min(super()._limit(), MOST_CYCLES))

    # ------------------------------------------------------------ inputs

    def _inputs(self) -> Iterator[Inputs]:
        """Inputs at the ends of what is required, alone and two at a time, and some others."""
        case = self.case
        ends = list(self._ends())
        both = [(*one, *two) for one, two in combinations(ends, 2)]
        for conditions in [*ends, *both]:
            try:
                answer = case.oracle.ask(conditions)
            except Undecided:
                continue
            if answer.model is not None:
                yield inputs_of(case.start, case.entry, answer.model, conditions)
        yield from inputs(case.exploration, case.oracle)

    def _ends(self) -> Iterator[tuple[Term, ...]]:
        """Conditions with which an input, or the expression of a requirement, is at an end."""
        entry = self.case.entry
        for item in self.case.contract.inputs:
            if isinstance(item, MemoryRange):
                continue
            value = entry.get(register_name(self.case.abi, item))
            if value.is_const or value.width != 8:
                continue
            for number in (0, 1, 0xFF):
                yield (t.eq(value, t.const(number, 8)),)
        for need in self.draft.needs:
            for end in (need.low, need.high):
                for registers in settings(need, end):
                    terms = [
                        t.eq(own, t.const(number, own.width))
                        for name, number in registers.items()
                        if (own := self._at_entry(name)) is not None
                    ]
                    if terms:
                        yield tuple(terms)

    def _at_entry(self, name: str) -> Term | None:
        """A register, or a byte of memory that stays a byte, as it is at the entry."""
        entry, address = self.case.entry, address_of(name)
        if address is None:
            return entry.get(name) if name in entry.registers else None
        return None if entry.memory.layout.is_fixed[address] else entry.memory.byte(address)

    # ------------------------------------------------------------ the parts

    def _model(self, *conditions: Term) -> None:
        return None

    def _shown(self, conditions: Sequence[Term], involved: Sequence[Term]) -> None:
        return None

    def _is_changed(self, item: Item) -> bool:
        if isinstance(item, MemoryRange):
            return self._touched(item, True)
        return self._seen_changed(register_name(self.case.abi, item))

    def _touches(self, address: int, written: bool) -> bool:
        return self._seen(address, written)

    def _matters(self, item: Item) -> bool:
        name = register_name(self.case.abi, item)  # type: ignore[arg-type]
        for given, done in list(self.runs):
            for change in _OTHERS if given.registers[name] > 1 or name not in self._flags else (1,):
                other = replace(
                    given, registers={**given.registers, name: given.registers[name] ^ change}
                )
                if not self._is_allowed(other):
                    continue
                ran = self._try(other)
                if ran is not None and self._outcome(ran) != self._outcome(done):
                    return True
        return False

    @property
    def _flags(self) -> frozenset[str]:
        abi = self.case.abi
        return frozenset(register_name(abi, flag) for flag in abi.flags)

    def _cycles_reached(self, claim: tuple[int, int | None]) -> bool:
        times = {done.cycles for _, done in self.runs}
        return super()._cycles_reached(claim) or {claim[0], claim[1]} <= times
