"""What was written before: single addresses, and cells of arrays up to an index.

The argument stands in the head page: ``romproof.prover.conditions``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import product

from romproof.prover.conditions.counters import NumberBytes, counters_of, number_at, steps_of
from romproof.prover.exploration.cut_points import Cut
from romproof.prover.exploration.explore import Leg
from romproof.prover.replay.judge import Case
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.execute.state import State
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ITE, STORE
from romproof.symbolic.terms.origin import any_name
from romproof.symbolic.terms.term import Term

PAGE = 0x100


class ExtentSide(Enum):
    """Which cells of an array, beside a number."""

    BELOW = "below"
    UP_TO = "up to"
    FROM = "from"
    ABOVE = "above"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Extent:
    """Cells of the array ``which``.

    ``names`` are registers and bytes of memory, the highest first, that make a number: one of them
    counts cells, the array's first as ``origin``: as 0, or as the low byte of its address, of an
    array within a page; two are an address. Of all cells there are none. Where
    ``step`` is more than 1 these are every so many cells only: those with this ``remainder``,
    counted from the array's first. ``shift`` cells before each is what is compared with the
    number: of records with several fields, their beginning.
    """

    which: MemoryObject
    side: ExtentSide
    names: NumberBytes = ()
    step: int = 1
    remainder: int = 0
    shift: int = 0
    origin: int = 0

    def number(self, state: State) -> Term:
        """The number there, 16 bits."""
        return t.zext(number_at(self.names, state), 16) if self.names else t.const(0, 16)

    def has(self, address: Term, number: Term) -> Term:
        """One bit: is a cell, by its address, one of these?"""
        index = t.sub(address, t.const(self.which.address, 16))
        return t.and_(self._is_beside(address, index, number), self._is_at_step(index))

    def _is_at_step(self, index: Term) -> Term:
        if self.step == 1:
            return t.TRUE
        remainder = t.rem(index, t.const(self.step, 16))
        return t.eq(remainder, t.const(self.remainder, remainder.width))

    def _is_beside(self, address: Term, index: Term, number: Term) -> Term:
        if self.side is ExtentSide.ALL:
            return t.TRUE
        place = t.add(index, t.const(self.origin, 16)) if len(self.names) == 1 else address
        place = t.sub(place, t.const(self.shift, 16))
        if self.side in (ExtentSide.BELOW, ExtentSide.FROM):
            below = t.ult(place, number)
            return below if self.side is ExtentSide.BELOW else t.not_(below)
        above = t.ult(number, place)
        return above if self.side is ExtentSide.ABOVE else t.not_(above)

    def holds(self, state: State, address: Term) -> Term:
        """The same in a state."""
        return self.has(address, self.number(state))


@dataclass(frozen=True)
class Filled:
    """The extents that were written at each cut, of all arrays or of those that somebody wants;
    they are looked for when somebody asks."""

    case: Case = field(repr=False)
    wanted: frozenset[MemoryObject] | None = None

    def before(self, place: int, address: Term) -> Term:
        """One bit: was the byte at an address, a term of the leg from a cut, written before it?"""
        state, bit = self.case.exploration.cuts[place].state, t.FALSE
        for extent in self.extents[place]:
            inside = within(address, extent.which.address, extent.which.end)
            bit = t.or_(bit, t.and_(inside, extent.holds(state, address)))
        return bit

    @property
    def was_needed(self) -> bool:
        """Whether somebody asked."""
        return "extents" in vars(self)

    @cached_property
    def extents(self) -> Mapping[int, tuple[Extent, ...]]:
        """By cut: those that are written there. Raises OutOfTime."""
        exploration = self.case.exploration
        known = {place: list(self._candidates(place)) for place in exploration.cuts}
        # legs from the entry first: they take most of them away, and are decided quickly
        legs = sorted(exploration.legs, key=lambda leg: leg.begin is not None)
        legs = [leg for leg in legs if leg.end in known]
        changed = True
        while changed:
            changed = False
            for leg in legs:
                begun = known[leg.begin] if leg.begin is not None else []
                left = [each for each in known[leg.end] if self.arrives(leg, each, begun)]
                changed = changed or len(left) < len(known[leg.end])
                known[leg.end] = left
        return {place: tuple(extents) for place, extents in known.items()}

    @cached_property
    def _steps(self) -> Mapping[NumberBytes, int]:
        """By how much numbers move from cut to cut, of those that leave gaps."""
        exploration = self.case.exploration
        legs = [leg for leg in exploration.legs if leg.end in exploration.cuts]
        steps = steps_of(self.case, legs)
        return {names: abs(step) for names, step in steps.items() if abs(step) > 1}

    def _candidates(self, place: int) -> Iterator[Extent]:
        cut = self.case.exploration.cuts[place]
        memory = cut.state.memory
        numbers = counters_of(self.case)
        sides = [side for side in ExtentSide if side is not ExtentSide.ALL]
        steps = self._steps
        arrays = memory.indexed & memory.layout.marked
        arrays = arrays if self.wanted is None else arrays & self.wanted
        for which in sorted(arrays, key=lambda each: each.address):
            yield Extent(which, ExtentSide.ALL)
            yield from (Extent(which, side, names) for names, side in product(numbers, sides))
            counting = [names for names in numbers if _counts_from(cut, names, which)]
            yield from (
                Extent(which, side, names, origin=which.address % PAGE)
                for names, side in product(counting, sides)
            )
            for step in sorted(set(steps.values())):
                moving = [names for names in numbers if steps.get(names) == step]
                for rest in range(step):
                    yield Extent(which, ExtentSide.ALL, (), step, rest)
                    for names, side, shift in product(moving, sides, sorted({0, rest})):
                        yield Extent(which, side, names, step, rest, shift)

    def arrives(
        self, leg: Leg, extent: Extent, begun: Iterable[Extent], known: Iterable[Term] = ()
    ) -> bool:
        """Whether every cell of an extent is written when a leg ends, if those are that it
        ``begun`` with and what is ``known`` there holds."""
        which = extent.which
        name = any_name(f"cell of ${which.address:04X}+{which.size}")
        place = t.var(name, 16, which.address, which.end - 1)
        written = leg.at.memory.is_marked(which, place)
        for each in begun:
            if each.which == which:
                written = t.or_(written, each.holds(leg.first, place))
        claim = t.or_(t.not_(extent.holds(leg.at, place)), written)
        if claim.is_const:
            return bool(claim.number)
        return self.case.oracle.holds([*leg.at.path, *known], claim)


def _counts_from(cut: Cut, names: NumberBytes, which: MemoryObject) -> bool:
    """Whether a byte may count the cells of an array by the low bytes of their addresses: at first
    it is that of one of them, or of what is behind the last."""
    low = which.address % PAGE
    if len(names) > 1 or not low or low + which.size > PAGE:
        return False
    number = number_at(names, cut.arrived)
    return number.is_const and low <= (number.number or PAGE) <= low + which.size


def find_written_at_cuts(case: Case) -> Mapping[int, frozenset[int]]:
    """The addresses that are written on every path to each cut: the greatest such sets."""
    exploration = case.exploration
    everything = frozenset(
        a for item in exploration.start.contract.written() for a in item.addresses()
    )
    known = dict.fromkeys(exploration.cuts, everything)
    changed = True
    while changed:
        changed = False
        for leg in exploration.legs:
            if leg.end not in known:
                continue
            before = frozenset() if leg.begin is None else known[leg.begin]
            after = known[leg.end] & (before | _find_written(leg))
            changed = changed or after != known[leg.end]
            known[leg.end] = after
    return known


def find_written_at_return(case: Case) -> frozenset[int]:
    """The addresses that are written on every path through a routine, where that is plain."""
    known = find_written_at_cuts(case)
    legs = case.exploration.returning_legs()
    written_before = [
        (frozenset() if g.begin is None else known[g.begin]) | _find_written(g) for g in legs
    ]
    return frozenset.intersection(*written_before) if written_before else frozenset()


def _find_written(leg: Leg) -> frozenset[int]:
    """The addresses that are written on all paths of a leg."""
    memory = leg.at.memory
    alone = {
        address
        for address in memory.changed_bytes()
        if address not in memory.unsure and memory.written(address) is t.TRUE
    }
    marked = memory.layout.marked
    arrays = (memory.marks(w) if w in marked else a for w, a in memory.changed_arrays().items())
    return frozenset(alone.union(*map(find_stored, arrays)))


def find_stored(array: Term) -> frozenset[int]:
    """The addresses at which an array was written, whatever was there before."""
    addresses: dict[Term, frozenset[int]] = {}
    for term in t.in_order([array]):
        if term.op == STORE:
            before, place, _ = term.args
            addresses[term] = addresses[before] | (
                {place.number} if place.is_const else frozenset()
            )
        elif term.op == ITE and not term.width:
            addresses[term] = addresses[term.args[1]] & addresses[term.args[2]]
        elif not term.width:
            addresses[term] = frozenset()
    return addresses[array]
