"""Candidates for the invariant of a loop, as contracts write them.

What they are made of: where quantities begin and by how much they grow in an iteration, what the
loop compares with, where it writes in arrays, and what the contract ensures of arrays in the end.
None is taken for true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.nouns.expr import All, PairValue
from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.prover.exploration.explore import Exploration, Leg
from romproof.prover.invariants.accumulators import find_holders
from romproof.prover.invariants.cells import (
    CellsBeside,
    find_cell_conditions,
    of_all,
    of_sums,
    sums,
)
from romproof.prover.invariants.goals import of_goals, trade
from romproof.prover.invariants.quantities import WIDE, LoopConstant, Moving, Quantity
from romproof.prover.invariants.wording import match_range
from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import LOAD, STORE
from romproof.symbolic.terms.origin import register_variable
from romproof.symbolic.terms.term import Term

MAX_INDICES = 6
"""Expressions for the cell that is written next that are tried for each array."""

Halves = tuple[str, str, str]
"""A pair with its upper and its lower half."""


_SIGNS = ("<", ">=", "<=", ">")
_STRIDES = (2, 4, 8, 16, 32, -2, -4, -8, -16, -32)
"""Steps with which a multiple of one stays a multiple of it, also where it wraps around."""


@dataclass(frozen=True)
class Shapes:
    """What candidates for one loop are made of.

    ``fixed`` are numbers that stay as they are, as contracts write them, ``borders`` where
    objects begin and end. Where ``few`` are wanted, nothing is compared with these. ``words`` are
    those of ``fixed`` that have two bytes.
    """

    exploration: Exploration = field(repr=False)
    head: int
    moving: Sequence[Moving]
    fixed: Sequence[LoopConstant]
    borders: Sequence[LoopConstant]
    few: bool = False
    words: frozenset[LoopConstant] = frozenset()

    @property
    def contract(self) -> Contract:
        """The contract of the routine."""
        return self.exploration.start.contract

    def propose_simple(self) -> Iterator[str]:
        """Candidates without ``all``."""
        if not self.few:
            holders = find_holders(self.exploration, self.head)
            single = _single(self.contract)
            yield from of_goals(self.contract.ensures, self.moving, self.fixed, holders, single)
        for one in self.moving:
            for other in self.moving:
                if one is not other:
                    yield from _relate(one, other)
                    yield from _bound(one, other)
                    yield from _limit(one, other)
                    yield from trade(one, other)
        for pair, high, low in self.find_halves():
            left = _count_by_halves(high, low)
            begun = _count_by_halves(f"old {high}", f"old {low}")
            for all_of in (f"(old {pair} - 1) % 65536", begun):
                yield f"{left} <= {all_of}"
                for one in self.moving:
                    if one.begin is not None and one.step and one.what.text not in (high, low):
                        far = "" if abs(one.step) == 1 else f"{abs(one.step)} * "
                        sign = "+" if one.step > 0 else "-"
                        yield f"{one.what.text} == {one.begin} {sign} {far}({all_of} - ({left}))"
        for each in self.moving:
            yield from self._alone(each)
        abi = self.exploration.start.program.abi
        for flag in abi.flags:
            if self.contract.may_change_inside(flag):
                yield from (f"{flag.name} == 0", f"{flag.name} == 1")

    def find_halves(self) -> Iterator[Halves]:
        """Pairs of which the lower half is counted down to 0, and the upper one after it: the upper
        half is the number of times, and 0 stands for 256."""
        own = {each.what.names: each for each in self.moving}
        for pair, halves in self.exploration.start.program.abi.pairs.items():
            high, low = map(register_variable, halves)
            both = own.get((high, low))
            if (high,) not in own or (low,) not in own or (self.few and own[(low,)].step != -1):
                continue
            if both is None or both.step is None:
                yield pair.upper(), own[(high,)].what.text, own[(low,)].what.text

    def _alone(self, each: Moving) -> Iterator[str]:
        name = each.what.text
        if each.begin is not None:
            yield f"{name} == {each.begin}"
        if each.step == 0:
            return
        if each.most is not None:
            yield f"{name} <= {each.most}"
        for low, high in self.find_limits(name):
            yield from (f"{name} <= {high}", f"{name} >= {low}")
        yield f"{name} >= 1"
        if each.step in _STRIDES:
            yield f"{name} % {abs(each.step or 1)} == 0"
        if self.few:
            yield from _few_alone(each, self.fixed)
            return
        limits = [*self.fixed, *(self.borders if each.what.width == WIDE else ())]
        if each.begin is not None:
            limits.insert(0, each.begin)
            if each.step is not None and abs(each.step) > 1:
                yield f"({name} - {each.begin}) % {abs(each.step)} == 0"
        for limit in dict.fromkeys(limits):
            if limit.number is not None and not 0 < limit.number <= each.what.most:
                continue
            yield f"{name} <= {limit}"
            if limit.number is None:  # where 0 stands for all there are
                yield f"({name} - 1) % {each.what.most + 1} <= ({limit} - 1) % {each.what.most + 1}"
                yield f"{name} <= ({limit} - 1) % {each.what.most + 1}"
            yield f"{name} < {limit}"
            yield f"{name} >= {limit}"
            yield f"{name} > {limit}"
            if limit.number is None:
                yield f"({limit} == 0) or {name} < {limit}"

    def find_limits(self, name: str) -> Iterator[tuple[int, int]]:
        """The limits that the contract requires of an address at the entry: a pointer that ends at
        the byte there stays within them."""
        for condition in self.contract.requires:
            limit = match_range(condition)
            pair = None if limit is None else limit.expression
            if limit is not None and isinstance(pair, PairValue) and pair.name == name:
                yield limit.low, limit.high

    # ------------------------------------------------------------ arrays

    def of_arrays(self) -> Iterator[str]:
        """Candidates of the cells of arrays: what is done, and what is left as it was."""
        sides = [side for which in self._arrays() for side in self._sides(which)]
        read = [] if sides or self.few else self._read_sides()
        for ensured in self.contract.ensures:
            body = ensured.expression
            if isinstance(body, All):
                yield from of_all(body, [*sides, *read])
            elif any(True for _ in sums(body)):
                yield from of_sums(body, self._all_sides())
            else:
                for inner in find_cell_conditions(body):
                    yield from of_all(inner, [*sides, *read])
        for item in self.contract.written():
            yield from self._leave(item, sides)

    def _arrays(self) -> list[MemoryObject]:
        return sorted(self.exploration.indexed, key=lambda each: each.address)

    def _leave(self, item: MemoryRange, sides: Sequence[CellsBeside]) -> Iterator[str]:
        which = self.exploration.entry.memory.layout.object_at(item.address)
        if which not in self.exploration.indexed or item.size < 2:
            return
        all_of = f"all j in 0..{item.size - 1}:"
        same = f"{item.name}[j] == old {item.name}[j]"
        yield f"{all_of} {same}"
        for side in dict.fromkeys(sides):
            yield f"{all_of} {side.of('j')} -> {same}"

    def _sides(self, which: MemoryObject) -> Iterator[CellsBeside]:
        """The cells on one side of the one that is written next."""
        for index in list(dict.fromkeys(self._indices(which)))[:MAX_INDICES]:
            yield from (CellsBeside(sign, index) for sign in _SIGNS)

    def _read_sides(self) -> list[CellsBeside]:
        """The same of the cells that are read next, where a loop searches and writes none."""
        made: dict[str, None] = {}
        for leg in self._find_loop_legs():
            for which in self._arrays():
                array = leg.first.memory.array(which)
                for node in t.in_order([*leg.at.path, *map(leg.at.get, leg.at.registers)]):
                    if node.op == LOAD and node.args[0] is array and not node.args[1].is_const:
                        made |= dict.fromkeys(self._index(which, leg, node.args[1]))
        return [CellsBeside(sign, index) for index in [*made][:MAX_INDICES] for sign in _SIGNS]

    def _all_sides(self) -> list[CellsBeside]:
        made = [side for which in self._arrays() for side in self._sides(which)]
        for each in self.moving:
            if each.step not in (None, 0):
                made += [CellsBeside(sign, each.what.text) for sign in ("<", ">=", "<=", ">")]
        return list(dict.fromkeys(made))

    def _indices(self, which: MemoryObject) -> Iterator[str]:
        """The number of the cell that is written next, as contracts write it."""
        for leg in self._find_loop_legs():
            array = leg.at.memory.array(which)
            for node in t.in_order([array]):
                if node.op == STORE and not node.args[1].is_const:
                    yield from self._index(which, leg, node.args[1])

    def _find_loop_legs(self) -> list[Leg]:
        legs = self.exploration.legs
        return [leg for leg in legs if leg.begin == self.head]

    def _find_base(self, which: MemoryObject) -> Term:
        """Where an array begins, for who has a pointer: a block is where its own pointer was."""
        blocks = self.exploration.entry.memory.blocks
        bases = [block.base for block in blocks if block.which == which]
        return bases[0] if bases else t.const(which.address, WIDE)

    def _index(self, which: MemoryObject, leg: Leg, address: Term) -> Iterator[str]:
        changing = [each.what for each in self.moving if each.step != 0]
        begin = self._find_base(which)
        offset = t.sub(address, t.const(which.address, WIDE))
        others = [(each,) for each in changing]
        pairs = [(a, b) for a in changing for b in changing if a.width == WIDE and b.width == 8]
        for several in (*others, *pairs):
            number = t.const(which.address, WIDE)
            for each in several:
                number = t.add(number, each.widen(leg.first))
            if several[0].width == WIDE:
                number = t.sub(number, begin)
            more = t.sub(address, number)
            in_page = which.end <= 0x100 or offset.high < 0x100
            if not more.is_const and in_page:  # it may wrap within the page
                more = t.sub(t.extract(address, 0, 8), t.extract(number, 0, 8))
            if more.is_const:
                yield _index_text(which, several, more.number, more.width)


def _index_text(which: MemoryObject, several: Sequence[Quantity], more: int, width: int) -> str:
    text = " + ".join(each.text for each in several)
    if several[0].width == WIDE:
        text += f" - &{which.name}"
    half = 1 << width - 1
    if more:
        text += f" + {more}" if more < half else f" - {2 * half - more}"
    return text


def _few_alone(each: Moving, fixed: Sequence[LoopConstant]) -> Iterator[str]:
    """What is likely to hold of a quantity that a loop moves by the same in each iteration."""
    name, begin, step = each.what.text, each.begin, each.step
    if not step:
        return
    if step in _STRIDES:
        yield f"{name} % {abs(step)} == 0"
    if begin is None:
        return
    if abs(step) > 1:
        yield f"({name} - {begin}) % {abs(step)} == 0"
    if each.what.width == WIDE:
        yield f"{name} {'>=' if step > 0 else '<='} {begin}"
    elif step > 0:
        limits = [each for each in fixed if each.number is None]
        yield from (f"{name} {sign} {limit}" for limit in limits for sign in ("<", "<="))
        yield f"{name} >= {begin}"
    else:
        around = each.what.most + 1
        yield f"{name} <= {begin}"
        yield f"({name} - 1) % {around} <= ({begin} - 1) % {around}"
        yield f"({begin} == 0) or {name} <= {begin}"


def _count_by_halves(high: str, low: str) -> str:
    """What is left to do where the lower half of a pair is counted down to 0 and the upper one
    after it, 0 being 256."""
    return f"({high} - 1) % 256 * 256 + ({low} - 1) % 256"


def _single(contract: Contract) -> set[str]:
    """The names of memory of one byte that a contract lists."""
    listed = (*contract.inputs, *contract.outputs, *contract.clobbers)
    return {each.name for each in listed if isinstance(each, MemoryRange) and each.size == 1}


def _relate(one: Moving, other: Moving) -> Iterator[str]:
    """That two quantities move together: ``one`` is what is known by ``other``, a counter."""
    if one.begin is None or other.begin is None or not one.step or not other.step:
        return
    if set(one.what.names) & set(other.what.names) or one.step % other.step:
        return
    times = one.step // other.step
    a, b = one.what.text, other.what.text
    begin, counted = one.begin, other.begin
    up, down = f"({b} - {counted})", f"({counted} - {b})"
    more = up if times > 0 else down
    factor = "" if abs(times) == 1 else f" * {abs(times)}"
    yield f"{a} == {_plus(begin, f'{more}{factor}')}"
    if other.what.width == 8 and one.what.width == 8:
        yield f"{a} == ({_plus(begin, f'{more}{factor}')}) % 256"
    elif other.what.width == 8:
        yield f"{a} == {_plus(begin, f'{more} % 256{factor}')}"


def _bound(one: Moving, other: Moving) -> Iterator[str]:
    """How far ``one`` is when ``other``, a counter, has gone some way, of which is only known
    between which numbers it moves each time."""
    if one.begin is None or one.between is None or other.begin is None:
        return
    if other.step not in (1, -1) or set(one.what.names) & set(other.what.names):
        return
    (least, most), a, b = one.between, one.what.text, other.what.text
    times = f"({b} - {other.begin})" if other.step > 0 else f"({other.begin} - {b})"
    times = f"{times} % 256" if other.what.width == 8 else times
    yield f"{a} <= {one.begin}" + (f" + {most} * ({times})" if most > 0 else "")
    yield f"{a} >= {one.begin}" if least >= 0 else f"{a} + {-least} * ({times}) >= {one.begin}"


def _limit(one: Moving, other: Moving) -> Iterator[str]:
    """How far ``one`` goes while ``other`` is counted down, of which only the most is known."""
    if one.begin is None or not one.step or other.most is None or other.step != -1:
        return
    if set(one.what.names) & set(other.what.names):
        return
    far = abs(one.step)
    left, all_of = f"{other.what.text} * {far}", other.most * far
    if one.step > 0:
        yield f"{one.what.text} + {left} <= {one.begin} + {all_of}"
    else:
        yield f"{one.what.text} + {all_of} >= {one.begin} + {left}"


def _plus(begin: LoopConstant, more: str) -> str:
    return more if begin.number == 0 else f"{begin} + {more}"


def propose_decreasing(shapes: Shapes) -> Iterator[str]:
    """Candidates for a natural number that is smaller at each visit, the plainest first."""
    changing = [each for each in shapes.moving if each.step != 0]
    falling = [each for each in changing if each.step is None or each.step < 0]
    rising = [each for each in changing if each.step is None or each.step > 0]
    yield from (each.what.text for each in falling)
    yield from (f"({each.what.text} - 1) % {each.what.most + 1}" for each in falling)
    for _, high, low in shapes.find_halves():
        yield f"({high} - 1) % 256 * 256 + ({low} - 1) % 256"
    for each in rising:
        name, most = each.what.text, each.what.most + 1
        yield from (f"{high} - {name}" for _, high in shapes.find_limits(name))
        narrow = [limit for limit in shapes.fixed if limit not in shapes.words]
        borders = [*shapes.fixed, *shapes.borders] if each.what.width == WIDE else narrow
        yield from (f"{limit} - {name}" for limit in borders)
        yield f"{most} - {name}"
        for limit in shapes.fixed:
            yield f"({limit} - {name} - 1) % {most}"
        yield f"(0 - {name} - 1) % {most}"
    for each in falling:
        limits = [*shapes.fixed, *(shapes.borders if each.what.width == WIDE else ())]
        yield from (f"{each.what.text} - {limit}" for limit in limits)
