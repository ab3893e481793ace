"""What changes in a loop: registers, pairs and small variables, where they begin and how far they
go with each iteration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from romproof.contract.nouns.items import MemoryRange
from romproof.contract.nouns.model import Contract
from romproof.isa.abi import Register
from romproof.prover.exploration.explore import Exploration, Leg
from romproof.prover.states.entry import Start, register_name
from romproof.symbolic.execute.events import EventKind
from romproof.symbolic.execute.state import State
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.linear import collect
from romproof.symbolic.terms.node import EXTRACT
from romproof.symbolic.terms.origin import VariableName, byte_name, register_variable
from romproof.symbolic.terms.term import Term

WIDE = 16
"""Bits of an address, and of the widest number that is looked at."""
FARTHEST = 64
"""A step that is another each time is looked at if it is less than that."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of 8 or 16 bits that contracts call ``text``: registers and bytes of memory, by the
    names of their variables, the highest first."""

    text: str
    names: tuple[VariableName, ...]

    @property
    def width(self) -> int:
        """Its bits."""
        return 8 * len(self.names)

    @property
    def most(self) -> int:
        """The greatest number it can be."""
        return (1 << self.width) - 1

    def at(self, state: State) -> Term:
        """What it is in a state."""
        parts = []
        for name in self.names:
            place = name.address
            parts.append(state.get(name) if place is None else state.memory.byte(place))
        return parts[0] if len(parts) == 1 else t.concat(*parts)

    def widen(self, state: State) -> Term:
        """The same with 16 bits."""
        return t.zext(self.at(state), WIDE)


@dataclass(frozen=True, slots=True)
class LoopConstant:
    """A number that a loop leaves as it is, with the ``text`` that contracts have for it.

    It is a ``number`` that is known; or made of one quantity ``of`` the entry, as ``now`` says if
    that quantity still is what it was: ``plain`` is the text of that quantity where it is nothing
    else; or an address in memory.
    """

    text: str
    number: int | None = field(default=None, compare=False)
    of: Quantity | None = field(default=None, compare=False)
    now: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text

    @property
    def plain(self) -> str:
        """The quantity of the entry that it is; "" of what is more, or another thing."""
        return self.now if self.of is not None and self.now == self.of.text else ""


def number_operand(number: int) -> LoopConstant:
    """A number that is known."""
    return LoopConstant(str(number), number, now=str(number))


def entry_operand(what: Quantity) -> LoopConstant:
    """What a quantity is at the entry."""
    return LoopConstant(f"old {what.text}", of=what, now=what.text)


@dataclass(frozen=True, slots=True)
class Moving:
    """A quantity that a loop changes: ``begin`` is what it is at first, as contracts write it (None
    where that is not to be said), ``step`` by how much it grows in each iteration (None: not by
    the same each time). Without ``begin`` it is no more than ``most`` at first, if that is less
    than it could be. Without ``step`` it grows by ``between`` two numbers, if these are known."""

    what: Quantity
    begin: LoopConstant | None
    step: int | None
    most: int | None = None
    between: tuple[int, int] | None = None


def quantities(start: Start, contract: Contract, exploration: Exploration) -> list[Quantity]:
    """All that the contract lists of registers, pairs of them, and variables of up to two bytes."""
    abi, cpu = start.program.abi, start.program.cpu
    made: list[Quantity] = []
    for pair, (high, low) in abi.pairs.items():
        if cpu.registers.get(high) == cpu.registers.get(low) == 8:
            names = register_variable(high), register_variable(low)
            made.append(Quantity(pair.upper(), names))
    for item in abi.contents:
        name = register_name(abi, item)
        if isinstance(item, Register) and cpu.registers[name] == 8:
            made.append(Quantity(item.name, (name,)))
    memory = exploration.entry.memory
    for listed in (*contract.inputs, *contract.outputs, *contract.clobbers):
        if not isinstance(listed, MemoryRange) or listed.size > 2:
            continue
        apart = all(
            memory.layout.object_at(a) not in exploration.indexed
            and a not in memory.layout.volatile
            for a in listed.addresses()
        )
        if apart:
            cells = tuple(byte_name(a) for a in reversed(listed.addresses()))
            made.append(Quantity(listed.name, cells))
    return list({each.names: each for each in made}.values())


def may_change(contract: Contract, start: Start, what: Quantity) -> bool:
    """Whether the contract allows a quantity to change."""
    allowed = {
        register_name(start.program.abi, item)
        for item in start.program.abi.contents
        if contract.may_change_inside(item)
    }
    return any(
        name in allowed if (place := name.address) is None else place in _written(contract)
        for name in what.names
    )


def _written(contract: Contract) -> frozenset[int]:
    return contract.written_addresses


def find_moving(
    exploration: Exploration, oracle: Oracle, head: int, every: Sequence[Quantity]
) -> list[Moving]:
    """The quantities that may change, as seen from the loop that begins at ``head``."""
    contract, start = exploration.start.contract, exploration.start
    into = exploration.legs_to(head)
    back = [leg for leg in into if leg.begin == head]
    first = [leg for leg in into if leg.begin is None]
    made: list[Moving] = []
    for what in every:
        if not may_change(contract, start, what):
            continue
        step = _find_common(_steps(oracle, back, what)) if back else None
        is_pair = what.width == WIDE and step is None
        bounds = (
            find_range(oracle, _find_growth(exploration, head, back, what)) if is_pair else None
        )
        begins = {_write_operand(exploration, what.at(leg.at), every) for leg in first}
        entered = len(first) == len(into) - len(back)
        begin = begins.pop() if len(begins) == 1 and entered else None
        most = max((what.at(leg.at).high for leg in first), default=what.most)
        is_less = begin is None and entered and most < what.most
        made.append(Moving(what, begin, step, most if is_less else None, bounds))
    # the halves of a pair that moves as a whole say nothing more; nor does a pair of which
    # only the upper half moves
    whole = {name for each in made if _is_whole(each) and each.step for name in each.what.names}
    return [
        each
        for each in made
        if (_is_whole(each) if each.what.width == WIDE else not whole & {*each.what.names})
    ]


def _is_whole(each: Moving) -> bool:
    return each.what.width == WIDE and (not each.step or each.step % 256 != 0)


def _find_common(values: Iterable[int | None]) -> int | None:
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _steps(oracle: Oracle, back: Iterable[Leg], what: Quantity) -> Iterator[int | None]:
    """By how much it grows on each of some legs, less than nothing where it falls."""
    for leg in back:
        difference = t.sub(what.at(leg.at), what.at(leg.first))
        number: int | None
        if difference.is_const:
            number = difference.number
        else:
            try:
                number = oracle.example(leg.at.path, t.TRUE, difference)
                same = t.eq(difference, t.const(number or 0, what.width))
                if number is None or oracle.always(leg.at.path, same) is not None:
                    number = None
            except Undecided:
                number = None
        if number is not None and number > what.most >> 1:
            number -= what.most + 1
        yield number


def _find_growth(
    exploration: Exploration, head: int, back: Iterable[Leg], what: Quantity
) -> Iterator[tuple[Sequence[Term], Term]]:
    """By how much it grows on each of some legs, and when."""
    kept = find_callee_conditions(exploration, head)
    for leg in back:
        yield (*leg.at.path, *kept), t.sub(what.at(leg.at), what.at(leg.first))


def find_callee_conditions(exploration: Exploration, head: int) -> list[Term]:
    """What callees require within a loop: what they give back is only known where that holds."""
    events = exploration.events
    return [e.what for e in events if e.kind is EventKind.BREAKS and e.begin == head]


def find_range(
    oracle: Oracle, differences: Iterable[tuple[Sequence[Term], Term]]
) -> tuple[int, int] | None:
    """The least and the greatest of differences on their paths, if all go upwards or all of them
    downwards, and none very far."""
    found: list[tuple[int, int]] = []
    for path, more in differences:
        less = t.sub(t.const(0, more.width), more)
        far = t.const(min(FARTHEST, (1 << more.width) - 1), more.width)
        try:
            if oracle.always(path, t.ult(more, far)) is None:
                low = oracle.least(path, more).value(more)
                found.append((low, oracle.most(path, more).value(more)))
            elif oracle.always(path, t.ult(less, far)) is None:
                high = oracle.least(path, less).value(less)
                found.append((-oracle.most(path, less).value(less), -high))
            else:
                return None
        except Undecided:
            return None
    low, high = min((low for low, _ in found), default=-1), max((h for _, h in found), default=1)
    return (low, high) if low >= 0 or high <= 0 else None


def _write_operand(
    exploration: Exploration, value: Term, every: Sequence[Quantity]
) -> LoopConstant | None:
    """A value at the entry as contracts write it: a number, ``old X``, or one of these and more."""
    if value.is_const:
        number = value.number
        is_wide = value.width == WIDE
        return address_operand(exploration, number) if is_wide else number_operand(number)
    for what in every:
        entry = what.at(exploration.entry)
        if entry.width > value.width:
            continue
        more = t.sub(value, t.zext(entry, value.width))
        if more.is_const:
            texts = (f"old {what.text}", what.text)
            text, now = (_and_more(each, more.number, value.width) for each in texts)
            return LoopConstant(text, of=what, now=now)
    return _multiple(exploration, value, every)


def _multiple(
    exploration: Exploration, value: Term, every: Sequence[Quantity]
) -> LoopConstant | None:
    """A multiple of one of these, or of some of its bits, and more; None where it is none."""
    factors, number = collect([(1, value)], 0, value.width)
    if len(factors) != 1:
        return None
    ((term, factor),) = factors.items()
    whole = term.args[0] if term.op is EXTRACT else term
    what = next((each for each in every if each.at(exploration.entry) is whole), None)
    if what is None or factor < 0:
        return None
    most = factor * term.high + number

    def write(text: str) -> str:
        if term.op is EXTRACT:
            text = f"({text} >> {term.number})" if term.number else text
            if term.number + term.width < whole.width:
                text = f"({text} & {(1 << term.width) - 1})"
        text = text if factor == 1 else f"({factor} * {text})"
        text = f"({text} + {number})" if number else text
        return text if most < 1 << value.width else f"{text} % {1 << value.width}"

    return LoopConstant(write(f"old {what.text}"), of=what, now=write(what.text))


def address_operand(exploration: Exploration, number: int) -> LoopConstant:
    """A number of 16 bits as contracts write it: ``&name`` where an object of theirs begins, and
    ``&name + SIZE`` where it ends."""
    for which in exploration.entry.memory.layout.objects:
        if number == which.address and which.size > 2:
            return LoopConstant(f"&{which.name}")
    for which in exploration.entry.memory.layout.objects:
        if number == which.end and which.size > 2:
            return LoopConstant(f"&{which.name} + {which.size}")
    return number_operand(number)


def _and_more(text: str, number: int, width: int) -> str:
    if not number:
        return text
    half = 1 << width - 1
    shown = f"{text} + {number}" if number < half else f"{text} - {2 * half - number}"
    return f"({shown}) % {1 << width}"
