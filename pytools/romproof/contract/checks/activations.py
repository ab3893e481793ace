"""Which activations of routines are open while a program runs, seen from a few places only.

The engine stops where a routine begins and where it returns to. A routine was called when the
address behind a call lies on the stack; else a jump within it came there. What was pushed and looks
like such an address by chance is taken for one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from romproof.contract.checks.check_plan import CheckedPlace, CheckPlan
from romproof.contract.nouns.state import Executing, State
from romproof.isa.abi import Abi
from romproof.isa.flow import Flow
from romproof.isa.transfers import transfers


@dataclass(slots=True)
class VisitTally:
    """Visits of a place: ``all`` of an activation, those ``since`` its loop was entered.

    ``inside`` says that execution is in the loop, with the stack pointer ``s`` when that was last
    seen. ``last`` is the value of the number that decreases, None before the first visit.
    """

    all: int = 0
    since: int = 0
    inside: bool = False
    s: int = 0
    last: int | None = None

    def enter(self, s: int) -> None:
        """Execution is in the loop, here and now."""
        self.inside, self.s = True, s

    def leave(self) -> None:
        """The loop is left."""
        self.since, self.inside, self.last = 0, False, None


@dataclass(slots=True)
class Activation:
    """A routine that was entered with the stack pointer ``s`` and returns to ``back``.

    ``site`` is that of the call, None where a test called it. ``before`` is the state at its
    entry, None of a routine that is not the contract's.
    """

    entry: int
    s: int
    back: int
    site: int | None
    before: State | None
    tallies: dict[int, VisitTally] = field(default_factory=dict)

    def tally(self, place: CheckedPlace) -> VisitTally:
        """The visits of a place."""
        tally = self.tallies.get(place.address)
        if tally is None:
            tally = self.tallies[place.address] = VisitTally()
        return tally


class Activations:
    """The open activations of the routine of ``plan``, and of those it calls that have places.

    ``open`` has them, the latest last; ``backs`` are the addresses at which they end: the engine
    must stop there too.
    """

    def __init__(self, plan: CheckPlan, engine: Executing, abi: Abi) -> None:
        self.open: list[Activation] = []
        self.backs: set[int] = set()
        self._plan = plan
        self._engine = engine
        self._abi = abi

    def enter_from_test(self, before: State) -> None:
        """A test has called a routine in this state; is it this one?"""
        abi = self._abi
        if abi.get(before.registers, "pc") == self._plan.entry:
            s, entry = abi.stack_of(before.registers), self._plan.contract.entry(abi)
            back = self._find_return(s + entry.return_size - abi.return_size, entry.return_bias)
            self.open.append(Activation(self._plan.entry, s, back, None, before))

    def pop_ended(self, pc: int, s: int) -> Activation | None:
        """The latest activation, if it is over, which is forgotten; to be asked again then."""
        if not self.open:
            return None
        last = self.open[-1]
        above = s - last.s
        # a routine may pull its return address for a while, to look at it
        if above > self._abi.return_size or (above > 0 and pc == last.back):
            return self.open.pop()
        return None

    def enter(self, entry: int, s: int) -> None:
        """The code of a routine begins here: was it called, or did it jump there itself?"""
        same = [each for each in self.open if each.entry == entry]
        own = entry == self._plan.entry
        if (same and same[-1].s <= s) or not (own or self.open):
            return
        back = self._find_return(s)
        site = self._call_before(back)
        if site is None:
            return
        registers, memory = self._engine.registers, self._engine.memory
        before = State(registers.copy(), bytes(memory)) if own else None
        self.open.append(Activation(entry, s, back, site, before))
        self.backs.add(back)

    def of(self, place: CheckedPlace) -> Activation:
        """The activation that a place belongs to; there must be an open one."""
        if len(self.open) > 1:
            for each in reversed(self.open):
                if each.entry == place.entry:
                    return each
        return self.open[-1]

    def entry_state(self) -> State:
        """The state at the latest entry of the contract's routine."""
        return next(each.before for each in reversed(self.open) if each.before is not None)

    def in_call(self, s: int, tally: VisitTally) -> bool:
        """Whether this is code of a routine that a loop calls: two routines may share some."""
        if not tally.inside:
            return False
        return any(
            self._call_before(self._find_return(at)) is not None for at in range(s, tally.s - 1)
        )

    def _find_return(self, s: int, bias: int | None = None) -> int:
        """Where a routine returns to that begins with this stack pointer; ``bias`` as in Abi."""
        bias = self._abi.return_bias if bias is None else bias
        place = self._abi.on_stack(s, s + self._abi.return_size)
        pushed = bytes(self._engine.memory[at & 0xFFFF] for at in place)
        return (int.from_bytes(pushed, "little") + bias) & 0xFFFF

    def _call_before(self, back: int) -> int | None:
        """The call that returns to an address, None where none stands before it."""
        table, memory = transfers(self._abi.cpu), self._engine.memory
        for size in (3, 1):
            site = (back - size) & 0xFFFF
            byte = memory[site]
            if table.flows[byte] is Flow.CALL and table.sizes[byte] == size:
                return site
        return None
