"""How often a loop goes round, as an expression of inputs, and what a pointer that it moves needs.

All of it is proposed: what comes of it is proved like any contract, and tried on runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from romproof.prover.explore import Exploration
from romproof.prover.infer.addresses import Form, Need, need_of_form
from romproof.prover.infer.regions import Span
from romproof.prover.invariants.quantities import Moving, Quantity
from romproof.symbolic.solve.oracle import Oracle, Undecided
from romproof.symbolic.terms import term as t

_OLD = re.compile(r"\bold ([\w.]+)")


@dataclass(frozen=True, slots=True)
class Count:
    """How often a loop is gone round after the first time: ``text``, up to ``most``.

    ``register`` is what it is counted in, if that is a single input, and ``first`` what that is
    when the loop is gone round once; ``names`` are the inputs in the text, ``counter`` what counts
    in the loop. ``last`` is the address of the byte at which a loop over a string ends, where the
    pointer ``register`` counts.
    """

    text: str
    most: int
    names: frozenset[str]
    counter: frozenset[str]
    register: str = ""
    first: int = 0
    last: int | None = None


def counts_of(
    exploration: Exploration,
    oracle: Oracle,
    head: int,
    moving: Sequence[Moving],
    every: Sequence[Quantity],
) -> Iterator[Count]:
    """What may be the number of iterations of the loop at ``head``, the likeliest first; counters
    begin at one of ``every``."""
    inputs = {each.text: frozenset(each.names) for each in every}
    steps = {each.what.names: each.step for each in moving}
    for pair, (high, low) in exploration.start.program.abi.pairs.items():
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
        begin = each.begin.replace("old ", "")
        most, counter = each.what.most, frozenset(each.what.names)
        if begin.isdigit():
            more = int(begin) - 1 if each.step < 0 else most - int(begin)
            if more > 0:
                yield Count(str(more), more, frozenset(), counter)
            continue
        if begin.startswith("&"):
            continue
        plain = begin if begin in inputs else ""
        names = frozenset(
            name for text in _OLD.findall(each.begin) for name in inputs.get(text, ())
        )
        if each.step > 0:
            yield Count(f"({most} - {begin})", most, names, counter)
        elif _goes_on_at_zero(exploration, oracle, head, each.what):
            yield Count(f"({begin} - 1) % {most + 1}", most, names, counter, plain, 1)
        else:
            yield Count(f"{begin} - 1", most - 1, names, counter, plain, 1)
            yield Count(begin, most, names, counter, plain, 0)


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
    for leg in exploration.leading_to(head):
        number = what.at(leg.at)
        zero = t.eq(number, t.const(0, number.width))
        if leg.begin is None and oracle.possible(leg.at.path, zero):
            return True
    return False


def _counts_seldom(exploration: Exploration, oracle: Oracle, head: int, name: str) -> bool:
    """Whether a register is in each iteration what it was, or one less."""
    for leg in exploration.leading_to(head):
        if leg.begin != head:
            continue
        less = t.sub(leg.first.get(name), leg.at.get(name))
        same_or_less = t.ult(less, t.const(2, less.width))
        try:
            if oracle.always(leg.at.path, same_or_less) is not None:
                return False
        except Undecided:
            return False
    return True


def _goes_on_at_zero(exploration: Exploration, oracle: Oracle, head: int, what: Quantity) -> bool:
    """Whether the loop is gone round once more where a counter is 0: then 0 stands for all."""
    for leg in exploration.leading_to(head):
        if leg.begin != head:
            continue
        number = what.at(leg.first)
        try:
            if oracle.possible(leg.at.path, t.eq(number, t.const(0, number.width))):
                return True
        except Undecided:
            return False
    return False


def needs_of(form: Form | None, place: int, step: int, span: Span, count: Count) -> list[Need]:
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
            return [Need(count.register, count.first, room + count.first, count.names)]
        return [Need(count.text, 0, room, count.names)] if count.names else []
    first = need_of_form(form, span)
    if first is None:
        return []
    if form.text == count.register and step < 0:
        return [Need(first.text, max(first.low, count.first), first.high, first.names)]
    if form.factor != 1 or count.text.isdigit():
        less = far * int(count.text) if count.text.isdigit() else 0
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
