"""The same for routines with loops that are cut: no term says what such a run does from its
beginning to its end, so the inputs come from the ends of what is required, and all is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from romproof.contract.nouns.items import Item, MemoryRange
from romproof.prover.infer.ends import MAX_CYCLES, inputs_at_ends
from romproof.prover.infer.tight import Tight
from romproof.prover.replay.run import LIMIT, ReplayInputs, ReplayRun, execute
from romproof.prover.states.entry import register_name
from romproof.symbolic.terms.term import Term
from romproof.text.messages import Message

MAX_CYCLES_OF_ALL = 6_000_000
"""What all runs of a routine may take together: the interpreter does so much in some seconds."""
_OTHERS = (1, 0x80, 0xFF, 2)
"""Values that an input is changed by, to see what comes of it."""


@dataclass
class InLoops(Tight):
    """The parts of a contract, each with the runs that show it."""

    spent: int = 0

    def open(self) -> Iterator[Message]:
        """The parts that no run shows."""
        for given in inputs_at_ends(self.case, self.draft.needs):
            self._try(given)
        yield from super().open()

    def _try(self, given: ReplayInputs) -> ReplayRun | None:
        if self.spent > MAX_CYCLES_OF_ALL:
            return None
        self.case.oracle.solver.deadline.check()
        done = execute(self.case.start, given, [self._end], self._limit())
        self.spent += done.cycles
        if done.stopped:
            self.runs.append((given, done))
        return done if done.stopped else None

    def _limit(self) -> int:
        return max(LIMIT, min(super()._limit(), MAX_CYCLES))

    # ------------------------------------------------------------ the parts

    def _model(self, *conditions: Term) -> None:
        return None

    def _show(self, conditions: Sequence[Term], involved: Sequence[Term]) -> None:
        return None

    def _is_changed(self, item: Item) -> bool:
        if isinstance(item, MemoryRange):
            return self._touch(item, True)
        return self._has_changed(register_name(self.case.abi, item))

    def _touches(self, address: int, written: bool) -> bool:
        return self._see(address, written)

    def _has_influence(self, item: Item) -> bool:
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
