"""How often a loop goes round, as an expression of inputs, and what a pointer that it moves needs.

All of it is proposed: what comes of it is proved like any contract, and tried on runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.prover.exploration.explore import Exploration, Leg
from romproof.prover.infer.addresses import Form, Need, need_of_form
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.invariants.quantities import Moving, Quantity
from romproof.symbolic.execute.events import Event
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.origin import VariableName, register_variable
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True, slots=True)
class Count:
    """How often a loop is gone round after the first time: ``text``, up to ``most``.

    ``register`` is what it is counted in, if that is a single input, ``first`` what that is when
    the loop is gone round once, and ``least`` what it may be at least (None: ``first``). ``names``
    are the inputs in the text, ``counter`` what counts in the loop. ``last`` is the address of the
    byte at which a loop over a string ends, where the pointer ``register`` counts.
    """

    text: str
    most: int
    names: frozenset[VariableName]
    counter: frozenset[str]
    register: str = ""
    first: int = 0
    last: int | None = None
    least: int | None = None

    @property
    def is_number(self) -> bool:
        """Whether it is the same for all inputs: ``most``."""
        return not self.names

    @property
    def lowest(self) -> int:
        """The least that ``register`` may be."""
        return self.first if self.least is None else self.least


def counts_of(
    exploration: Exploration,
    oracle: Oracle,
    head: int,
    moving: Sequence[Moving],
    every: Sequence[Quantity],
    lost: Sequence[Event] = (),
) -> Iterator[Count]:
    """What may be the number of iterations of the loop at ``head``, the likeliest first; counters
    begin at one of ``every``. ``lost`` are the accesses that are counted."""
    steps = {each.what.names: each.step for each in moving}
    for pair, parts in exploration.start.program.abi.pairs.items():
        high, low = map(register_variable, parts)
        if (high,) not in steps or steps.get((low,)) != -1 or steps.get((high, low)) is not None:
            continue
        if _counts_seldom(exploration, oracle, head, high):
            names = frozenset({high, low})
            yield Count(f"({pair.upper()} - 1) % 65536", 0xFFFF, names, names, pair.upper(), 1)
            halves = f"({high.upper()} - 1) % 256 * 256 + ({low.upper()} - 1) % 256"
            yield Count(f"({halves})", 0xFFFF, names, names)
    # most loops count down to 0
    for each in sorted(moving, key=lambda each: each.step or 0):
        if each.step not in (1, -1):
            continue
        if each.begin is None:
            yield from _at_most(exploration, oracle, head, each)
            continue
        begin = each.begin
        most, counter = each.what.most, frozenset(each.what.names)
        if each.step > 0:
            yield from _count_up_to_inputs(exploration, oracle, head, each, moving, every)
        if begin.number is not None:
            more = begin.number - 1 if each.step < 0 else most - begin.number
            if more > 0:
                yield Count(str(more), more, frozenset(), counter)
            continue
        if begin.of is None:
            continue
        plain, names = begin.plain, frozenset(begin.of.names)
        if each.step > 0:
            yield Count(f"({most} - {begin.now})", most, names, counter)
            continue
        # where the code has seen to it that there are some, none is a count as well
        least = None if _begins_at_zero(exploration, oracle, head, each.what) else 0
        if _goes_on_at_zero(exploration, oracle, head, each.what):
            text = f"({begin.now} - 1) % {most + 1}"
            yield Count(text, most, names, counter, plain, 1, least=least)
            continue
        to_one = Count(f"{begin.now} - 1", most - 1, names, counter, plain, 1, least=least)
        to_zero = Count(begin.now, most, names, counter, plain, 0)
        happens = _happens_at_zero(exploration, oracle, head, each.what, lost)
        yield from (to_zero, to_one) if happens else (to_one, to_zero)


def _count_up_to_inputs(
    exploration: Exploration,
    oracle: Oracle,
    head: int,
    counter: Moving,
    moving: Sequence[Moving],
    every: Sequence[Quantity],
) -> Iterator[Count]:
    """The counts of a counter that goes up to an input that the loop compares and leaves as it
    is."""
    back = [leg for leg in exploration.legs_to(head) if leg.begin == head]
    own, begin = frozenset(counter.what.names), counter.begin
    if begin is None:
        return
    inputs = {each.text: frozenset(each.names) for each in every}
    known = {each.what.names: each for each in moving}
    asked = {v for leg in back for v in t.variables(leg.at.path)}
    for limit in every:
        here = known.get(limit.names)  # what the routine itself has put there before the loop
        there = None if here is None else here.begin
        said = limit.text if here is None else "" if there is None else there.plain
        if limit.width != counter.what.width or (here is not None and here.step != 0):
            continue
        if said not in inputs:
            continue
        if not all({*t.variables([limit.at(leg.first)])} & asked for leg in back):
            continue
        most, names = limit.most, inputs[said]
        if begin.number is None:
            yield Count(f"({said} - {begin.now} - 1) % {most + 1}", most, names | own, own)
            continue
        number = begin.number
        text = f"({said} - {number + 1}) % {most + 1}"
        # where it is compared first there may be no iteration at all
        least = None if _goes_on_at(oracle, back, counter.what, limit) else number
        yield Count(text, most, names, own, said, number + 1, least=least)


def _goes_on_at(oracle: Oracle, back: Sequence[Leg], one: Quantity, other: Quantity) -> bool:
    """Whether a leg leads to the loop's head again although two numbers were equal there."""
    try:
        return any(
            oracle.possible(leg.at.path, t.eq(one.at(leg.first), other.at(leg.first)))
            for leg in back
        )
    except Undecided:
        return True


def _at_most(exploration: Exploration, oracle: Oracle, head: int, each: Moving) -> Iterator[Count]:
    """How often a counter counts down of which is only known how much it is at most at first."""
    if each.most is None or each.step != -1:
        return
    counter = frozenset(each.what.names)
    if not _goes_on_at_zero(exploration, oracle, head, each.what):
        yield Count(str(each.most), each.most, frozenset(), counter)
    elif not _begins_at_zero(exploration, oracle, head, each.what):  # there it stands for all
        yield Count(str(each.most - 1), each.most - 1, frozenset(), counter)


def _begins_at_zero(exploration: Exploration, oracle: Oracle, head: int, what: Quantity) -> bool:
    """Whether a counter may be 0 where the loop begins."""
    into = [leg for leg in exploration.legs_to(head) if leg.begin is None]
    try:
        return any(oracle.possible(leg.at.path, _is_zero(what.at(leg.at))) for leg in into)
    except Undecided:
        return True


def _is_zero(number: Term) -> Term:
    return t.eq(number, t.const(0, number.width))


def _counts_seldom(exploration: Exploration, oracle: Oracle, head: int, name: str) -> bool:
    """Whether a register is in each iteration what it was, or one less."""
    for leg in exploration.legs_to(head):
        if leg.begin != head:
            continue
        less = t.sub(leg.first.get(name), leg.at.get(name))
        same_or_less = t.ult(less, t.const(2, less.width))
        if not oracle.holds(leg.at.path, same_or_less):
            return False
    return True


def _happens_at_zero(
    exploration: Exploration, oracle: Oracle, head: int, what: Quantity, lost: Sequence[Event]
) -> bool:
    """Whether an access of the loop happens in an iteration that begins with a counter of 0."""
    first = next((leg.first for leg in exploration.legs_to(head) if leg.begin == head), None)
    if first is None:
        return False
    zero = _is_zero(what.at(first))
    try:
        return any(oracle.possible(event.path[:-1], zero) for event in lost if event.begin == head)
    except Undecided:
        return False


def _goes_on_at_zero(exploration: Exploration, oracle: Oracle, head: int, what: Quantity) -> bool:
    """Whether the loop is gone round once more where a counter is 0: then 0 stands for all."""
    for leg in exploration.legs_to(head):
        if leg.begin != head:
            continue
        try:
            if oracle.possible(leg.at.path, _is_zero(what.at(leg.first))):
                return True
        except Undecided:
            return False
    return False


def needs_of(
    form: Form | None, place: int, step: int, span: MemorySpan, count: Count
) -> list[Need]:
    """What keeps a pointer in a span that begins as ``form`` says (``place`` without one) and
    moves by ``step`` in each iteration. Empty where no inputs do, or nothing needs to."""
    far = abs(step)
    if count.last is not None and (form is None or form.text == count.register):
        room = count.most
        if form is None:
            room = (span.end - 1 - place if step > 0 else place - span.start) // far
            if room < 0:
                return []
        low, high = count.last - min(room, count.most), count.last
        return [Need(count.register, low, high, count.names)]
    if form is None:
        room = (span.end - 1 - place if step > 0 else place - span.start) // far
        if count.most <= room:
            return []
        if count.register:
            return [Need(count.register, count.lowest, room + count.first, count.names)]
        return [Need(count.text, 0, room, count.names)] if count.names else []
    first = need_of_form(form, span)
    if first is None:
        return []
    if count.register and form.names == count.names and form.factor == 1 and step < 0:
        low = max(first.low, count.first)
        low = count.lowest if low == count.first else low
        return [Need(first.text, low, first.high, first.names)]
    if form.factor != 1 or count.is_number:
        less = far * count.most if count.is_number else 0
        low = first.low + (less if step < 0 else 0)
        return [Need(first.text, low, first.high - (less if step > 0 else 0), first.names)]
    moved = count.text if far == 1 else f"{far} * ({count.text})"
    sign = "+" if step > 0 else "-"
    both = Need(
        f"{form.text} {sign} {moved}",
        first.low,
        first.high,
        first.names | count.names,
        form.text,
    )
    return [first, both]
