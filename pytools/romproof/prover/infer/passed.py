"""Pointers that a loop moves and hands to a callee, whose contract says where they have to be."""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.prover.infer.growth import RANGE
from romproof.prover.infer.moved import is_moved
from romproof.prover.infer.regions import Span
from romproof.prover.lemmas import ProvedRoutine
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.execute.executor import Executor, Lemma
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t


@dataclass(frozen=True, slots=True)
class Passed:
    """A pointer at a call, as if it were an access, and where it has to be."""

    event: Event
    span: Span


@dataclass
class Watching:
    """A lemma; the pointers that loops move of which it requires a range go ``into`` a list."""

    lemma: Lemma
    into: list[Passed] = field(repr=False)

    def __call__(self, executor: Executor, state: State) -> None:
        """See Lemma."""
        if isinstance(self.lemma, ProvedRoutine):
            self._note(self.lemma, executor, state)
        self.lemma(executor, state)

    def _note(self, lemma: ProvedRoutine, executor: Executor, state: State) -> None:
        pairs = {pair.upper(): halves for pair, halves in lemma.program.abi.pairs.items()}
        for condition in lemma.contract.requires:
            said = RANGE.fullmatch(condition.text)
            if said is None or said["text"] not in pairs:
                continue
            where = t.concat(*(state.get(half) for half in pairs[said["text"]]))
            if where.width == 16 and is_moved(where):
                low, high = (int(n.replace("$", "0x"), 0) for n in said.group("low", "high"))
                event = Event(EventKind.ADDRESS, state.path, where, state.pc, executor.begin)
                self.into.append(Passed(event, Span(low, high + 1)))
