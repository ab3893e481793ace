"""Loops that end at a byte, as those over strings do: where in ROM the last such byte is.

A pointer that begins below it and goes up by one comes to it, or leaves the loop before. How often
that is counts the iterations. All of it is proposed, and proved like any contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from romproof.prover.explore import Exploration
from romproof.prover.infer.counts import Count
from romproof.prover.infer.pointers import Pointer
from romproof.prover.infer.regions import Span
from romproof.prover.invariants.quantities import WIDE, Moving
from romproof.symbolic.terms import term as t

_MOST = 0x8000
"""Bytes that are looked at for one that ends a loop."""


def sentinels_of(
    exploration: Exploration, head: int, moving: Sequence[Moving], pointers: Sequence[Pointer]
) -> Iterator[Count]:
    """How far pointers that read ROM are from the last byte at which the loop at ``head`` ends."""
    fixed = exploration.start.program.is_fixed
    for pointer in pointers:
        form = pointer.form
        if pointer.head != head or form is None or form.factor != 1 or pointer.step != 1:
            continue
        own = next((m for m in moving if m.begin == f"old {form.text}" and m.step == 1), None)
        if own is None or own.what.width != WIDE or not all(fixed[each] for each in _ends(pointer)):
            continue
        last = last_end(exploration, head, own.what.names, pointer.span)
        if last is not None and last > pointer.span.start:
            names = frozenset(own.what.names)
            most = last - pointer.span.start
            yield Count(f"({last} - {form.text})", most, names, names, form.text, last=last)


def _ends(pointer: Pointer) -> tuple[int, int]:
    return pointer.span.start, pointer.span.end - 1


def last_end(exploration: Exploration, head: int, names: Sequence[str], span: Span) -> int | None:
    """The last address of a span with which in a pair no path leads back to the loop's head,
    whatever all else is; None where there is none."""
    back = [leg for leg in exploration.leading_to(head) if leg.begin == head]
    high, low = (back[0].first.get(name) for name in names) if back else (t.TRUE, t.TRUE)
    if not back or high.is_const or low.is_const:
        return None
    for place in islice(range(span.end - 1, span.start - 1, -1), _MOST):
        here = {high: t.const(place >> 8, 8), low: t.const(place & 0xFF, 8)}
        if all(any(t.replace(c, here) is t.FALSE for c in leg.at.path) for leg in back):
            return place
    return None
