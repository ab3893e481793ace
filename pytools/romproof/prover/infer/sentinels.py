"""Loops that end at a byte, as those over strings do: where in ROM the last such byte is.

A pointer that begins below it and goes up by one comes to it, or leaves the loop before. How often
that is counts the iterations. All of it is proposed, and proved like any contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from romproof.prover.exploration.explore import Exploration, Leg
from romproof.prover.infer.counts import Count
from romproof.prover.infer.pointers import Pointer
from romproof.prover.infer.regions import MemorySpan
from romproof.prover.invariants.quantities import WIDE, Moving
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import VAR, Term
from romproof.symbolic.terms.origin import VariableName


def sentinels_of(
    exploration: Exploration, head: int, moving: Sequence[Moving], pointers: Sequence[Pointer]
) -> Iterator[Count]:
    """How far pointers that read ROM are from the last byte at which the loop at ``head`` ends."""
    fixed = exploration.start.program.is_fixed
    for pointer in pointers:
        form = pointer.form
        if pointer.head != head or form is None or form.factor != 1 or pointer.step != 1:
            continue
        own = next(
            (
                m
                for m in moving
                if m.step == 1 and m.begin is not None and m.begin.plain == form.text
            ),
            None,
        )
        if own is None or own.what.width != WIDE or not all(fixed[each] for each in _ends(pointer)):
            continue
        last = find_last_end(exploration, head, own.what.names, pointer.span)
        if last is not None and last > pointer.span.start:
            names = frozenset(own.what.names)
            most = last - pointer.span.start
            yield Count(f"({last} - {form.text})", most, names, names, form.text, last=last)


def _ends(pointer: Pointer) -> tuple[int, int]:
    return pointer.span.start, pointer.span.end - 1


def find_last_end(
    exploration: Exploration, head: int, names: Sequence[VariableName], span: MemorySpan
) -> int | None:
    """The last address of a span with which in a pair no path leads back to the loop's head,
    whatever all else is: of each some condition on the pair alone fails. None where there is
    none."""
    back = [leg for leg in exploration.legs_to(head) if leg.begin == head]
    high, low = (_find_half(back[0], name) for name in names) if back else (t.TRUE, t.TRUE)
    if high.op is not VAR or low.op is not VAR:
        return None
    places = np.arange(span.start, min(span.end, 0x10000), dtype=np.uint64)
    values = {"": places, high.name: places >> np.uint64(8), low.name: places & np.uint64(0xFF)}
    ends = np.ones(len(places), dtype=bool)
    for leg in back:
        asked = [each for each in leg.at.path if t.variables([each]) <= {high, low}]
        fails = np.zeros(len(places), dtype=bool)
        for holds in t.evaluate(asked, values):
            fails |= holds == 0
        ends &= fails
    return int(places[ends][-1]) if ends.any() else None


def _find_half(leg: Leg, name: VariableName) -> Term:
    address = name.address
    return leg.first.get(name) if address is None else leg.first.memory.byte(address)
