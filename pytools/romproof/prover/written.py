"""What was written before: single addresses, and cells of arrays up to an index.

At a cut (an invariant) nothing is known of the memory that may have changed. Which bytes were
written on every path to it is found in two ways, each of which is an induction over the legs:

- a set of addresses: those that each leg to the cut writes, or that were written where it began;
- *extents* of an array: "the cells below the index X", below, up to, from or above a number of 8
  or 16 bits in registers or memory, and "all cells". At first every extent is taken to hold at
  every cut. One is taken away if some leg can arrive with a cell in it that was neither written
  on that leg nor lies in an extent that is taken to hold where the leg began. When none is taken
  away any more, what is left holds at the first arrival (legs from the entry begin with none), and
  is preserved by every leg. A question without an answer takes an extent away.

So a loop that fills an array, ``sta table,x`` / ``inx``, has written the cells below X.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from romproof.contract.items import MemoryRange
from romproof.prover.case import Case
from romproof.prover.explore import Leg
from romproof.prover.names import ANY, address_of
from romproof.prover.start import register_name
from romproof.symbolic.execute.access import within
from romproof.symbolic.execute.layout import Object, byte_name
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import ITE, STORE
from romproof.symbolic.terms.term import Term

MOST_BYTES = 12
"""Bytes of memory that may be an index of what was filled; all registers may."""


class Side(Enum):
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
    counts cells from the array's first, two are an address. Of all cells there are none.
    """

    which: Object
    side: Side
    names: tuple[str, ...] = ()

    def number(self, state: State) -> Term:
        """The number there, 16 bits."""
        value = t.const(0, 16)
        for name in self.names:
            at = address_of(name)
            part = state.get(name) if at is None else state.memory.byte(at)
            value = t.concat(t.extract(value, 0, 8), part)
        return value

    def has(self, address: Term, number: Term) -> Term:
        """One bit: is a cell, by its address, one of these?"""
        if self.side is Side.ALL:
            return t.TRUE
        first = t.const(self.which.address, 16)
        place = t.sub(address, first) if len(self.names) == 1 else address
        if self.side in (Side.BELOW, Side.FROM):
            below = t.ult(place, number)
            return below if self.side is Side.BELOW else t.not_(below)
        above = t.ult(number, place)
        return above if self.side is Side.ABOVE else t.not_(above)

    def holds(self, state: State, address: Term) -> Term:
        """The same in a state."""
        return self.has(address, self.number(state))


@dataclass(frozen=True)
class Filled:
    """The extents that were written at each cut; they are looked for when somebody asks."""

    case: Case = field(repr=False)

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
                left = [each for each in known[leg.end] if self._arrives(leg, each, begun)]
                changed = changed or len(left) < len(known[leg.end])
                known[leg.end] = left
        return {place: tuple(extents) for place, extents in known.items()}

    def _candidates(self, place: int) -> Iterator[Extent]:
        memory = self.case.exploration.cuts[place].state.memory
        numbers: list[tuple[str, ...]] = [(name,) for name in self._bytes()]
        numbers += self._pairs()
        for which in sorted(memory.indexed & memory.layout.marked, key=lambda each: each.address):
            yield Extent(which, Side.ALL)
            for names in numbers:
                for side in Side:
                    if side is not Side.ALL:
                        yield Extent(which, side, names)

    def _bytes(self) -> Iterator[str]:
        """Registers of 8 bits, and bytes of what the contract lists that are no arrays."""
        case = self.case
        widths = case.program.cpu.registers
        for item in case.abi.contents:
            name = register_name(case.abi, item)
            if widths[name] == 8:
                yield name
        yield from (byte_name(address) for address in self._places())

    def _places(self) -> list[int]:
        contract, memory = self.case.contract, self.case.entry.memory
        items = (*contract.inputs, *contract.outputs, *contract.clobbers)
        places = dict.fromkeys(
            address
            for item in items
            if isinstance(item, MemoryRange) and item.size <= 2
            for address in item.addresses()
            if memory.layout.object_at(address) not in memory.indexed
            and address not in memory.layout.volatile
        )
        return list(places)[:MOST_BYTES]

    def _pairs(self) -> Iterator[tuple[str, str]]:
        widths = self.case.program.cpu.registers
        for high, low in self.case.abi.pairs.values():
            if widths.get(high) == widths.get(low) == 8:
                yield high, low
        places = set(self._places())
        for place in sorted(places):
            if place + 1 in places:
                yield byte_name(place + 1), byte_name(place)

    def _arrives(self, leg: Leg, extent: Extent, begun: Iterable[Extent]) -> bool:
        """Whether every cell of an extent is written when a leg ends."""
        which = extent.which
        name = f"{ANY}cell of ${which.address:04X}+{which.size}"
        place = t.var(name, 16, which.address, which.end - 1)
        written = leg.at.memory.is_marked(which, place)
        for each in begun:
            if each.which == which:
                written = t.or_(written, each.holds(leg.first, place))
        claim = t.or_(t.not_(extent.holds(leg.at, place)), written)
        if claim.is_const:
            return bool(claim.number)
        try:
            return self.case.oracle.always(leg.at.path, claim) is None
        except Undecided:
            return False


def among(address: Term, addresses: Iterable[int]) -> Term:
    """One bit: is it one of these?"""
    inside, run = t.FALSE, list[int]()
    for place in [*sorted(addresses), None]:
        if run and (place is None or place != run[-1] + 1):
            inside = t.or_(inside, within(address, run[0], run[-1] + 1))
            run = []
        run += [] if place is None else [place]
    return inside


def written_at_cuts(case: Case) -> Mapping[int, frozenset[int]]:
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
            after = known[leg.end] & (before | _written(leg))
            changed = changed or after != known[leg.end]
            known[leg.end] = after
    return known


def written_at_return(case: Case) -> frozenset[int]:
    """The addresses that are written on every path through a routine, where that is plain."""
    known = written_at_cuts(case)
    legs = case.exploration.returning()
    written_before = [
        (frozenset() if g.begin is None else known[g.begin]) | _written(g) for g in legs
    ]
    return frozenset.intersection(*written_before) if written_before else frozenset()


def _written(leg: Leg) -> frozenset[int]:
    """The addresses that are written on all paths of a leg."""
    memory = leg.at.memory
    alone = {
        address
        for address in memory.changed_bytes()
        if address not in memory.unsure and memory.written(address) is t.TRUE
    }
    marked = memory.layout.marked
    arrays = (memory.marks(w) if w in marked else a for w, a in memory.changed_arrays().items())
    return frozenset(alone.union(*map(_stored, arrays)))


def _stored(array: Term) -> frozenset[int]:
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
