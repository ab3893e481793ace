"""Variables that a loop goes through byte by byte until one of them ends it: the last one has to.

Where such a loop begins at a constant address, it is executed with constants, and comes to what
lies behind the variable only if no byte of it ended the loop. That is what is required of the last
one not to be so. Where the routine itself has changed that one by then, as it does when it puts
something at the end of a queue a second time, it is required of the one before it as well. As
always it is proposed, and proved like any contract.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from romproof.prover.infer.addresses import Need, RequiredLimits, need_of_condition
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.infer.subject import Subject
from romproof.symbolic.execute.events import Event, EventKind
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName, byte_name, register_variable
from romproof.symbolic.terms.term import Term

_READ = (EventKind.READS, EventKind.READS_OBJECT, EventKind.READS_ARRAY)


@dataclass
class Walks:
    """The constant addresses that each instruction reads, one after the other."""

    subject: Subject = field(repr=False)
    last: dict[int, int] = field(default_factory=dict)
    # by variable, the last need of one of its bytes, which byte that is, and where walks go
    ends: dict[MemorySpan, tuple[Need, int, int]] = field(default_factory=dict)

    def need_of(self, event: Event, oracle: Oracle, limits: RequiredLimits) -> Need | None:
        """What keeps an access from happening that is one step behind a variable, or before it, as
        a requirement on a byte of it; None where nothing does."""
        if event.kind not in _READ or not event.what.is_const:
            return None
        here = event.what.number
        before = self.last.get(event.pc)
        self.last[event.pc] = here
        if before is None or abs(here - before) != 1:
            return None
        own = self.subject.regions.symbol_at(before)
        if own is None or own.size == 1 or own.has(here):
            return None
        if own in self.ends:
            return self._move_back(own) if oracle.possible(event.path, t.TRUE) else None
        name = byte_name(before)
        asked = [c for c in event.path if {v.name for v in t.variables([c])} == {name}]
        one = t.not_(t.all_of(asked))
        need = need_of_condition(one, self.subject.find_name, limits) if asked else None
        if need is not None:
            self.ends[own] = need, before, here - before
        return need

    def move_back(self, need: Need) -> Need | None:
        """The same requirement on the byte that a walk comes to before, where a callee has the
        requirement on one that has been changed; None where it is no such requirement."""
        place = next(iter(need.names)).address if len(need.names) == 1 else None
        own = None if place is None else self.subject.regions.symbol_at(place)
        if place is None or own is None or need.text != self.subject.find_name(byte_name(place)):
            return None
        if own not in self.ends:
            if place not in (own.start, own.end - 1):
                return None
            self.ends[own] = need, place, 1 if place > own.start else -1
        return self._move_back(own)

    def _move_back(self, own: MemorySpan) -> Need | None:
        need, place, step = self.ends[own]
        place -= step
        text = self.subject.find_name(byte_name(place)) if own.has(place) else None
        if text is None:
            return None
        need = Need(text, need.low, need.high, frozenset({byte_name(place)}))
        self.ends[own] = need, place, step
        return need

    def need_of_loop(self, path: Sequence[Term]) -> Need | None:
        """What keeps a loop from going on under the conditions ``path``, as a requirement on one
        register that all agrees with which callers are seen to put there; None where nothing
        does."""
        registers = self.subject.program.cpu.registers
        for text, passed in self.subject.hints.items():
            name = frozenset({register_variable(text.lower())})
            asked = [c for c in path if {v.name for v in t.variables([c])} == name]
            if registers.get(text.lower()) != 8 or not asked:
                continue
            numbers = np.arange(0x100, dtype=np.uint64)
            (holds,) = t.evaluate([t.all_of(asked)], {text.lower(): numbers})
            goes_on = np.broadcast_to(holds, 0x100).astype(bool)
            if not any(goes_on[each] for each in passed):
                return _bits(text, goes_on, name) or _range(text, goes_on, name, passed)
        return None


def _bits(text: str, goes_on: np.ndarray, names: frozenset[VariableName]) -> Need | None:
    """That one of some bits of a register is set, if those are what a loop goes on without."""
    without = np.arange(0x100)
    bits = 0xFF & ~int(np.bitwise_or.reduce(without[goes_on], initial=0))
    if bits in (0, 0xFF) or not np.array_equal(goes_on, without & bits == 0):
        return None
    return Need(f"({text} & {bits})", 1, bits, names)


def _range(
    text: str, goes_on: np.ndarray, names: frozenset[VariableName], passed: Sequence[int]
) -> Need | None:
    """The range of a register with which a loop does not go on, around all that is passed."""
    low, high = min(passed), max(passed)
    if goes_on[low : high + 1].any():
        return None
    while low and not goes_on[low - 1]:
        low -= 1
    while high < 0xFF and not goes_on[high + 1]:
        high += 1
    return Need(text, low, high, names)
