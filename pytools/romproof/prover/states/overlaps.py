"""Whether blocks behind pointers have bytes in common with something, as terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from romproof.symbolic.execute.blocks import PointerBlock
from romproof.symbolic.execute.layout import MemoryLayout
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

WIDE = 18
"""Bits for the sum of an address and a size."""
SIZE = 0x10000


def away(layout: MemoryLayout, blocks: Sequence[PointerBlock]) -> list[Term]:
    """That blocks which are only read share nothing with anything: of inputs for which that holds
    the contents are what a model says."""
    standing = [block.which for block in blocks]
    cells = {a for o in layout.objects if o not in standing for a in range(o.address, o.end)}
    cells.update(address for address in range(SIZE) if layout.is_fixed[address])
    runs = runs_of(cells)
    conditions = [is_off(block, runs) for block in blocks if not block.is_written]
    for number, block in enumerate(blocks):
        for other in blocks[:number]:
            end = t.add(widen(other.base), widen(other.size))
            conditions.append(is_beside(block, widen(other.base), end))
    return conditions


def widen(term: Term) -> Term:
    """A number of 16 bits as one that can be added."""
    return t.zext(term, WIDE)


class Spread(Protocol):
    """So many bytes from an address on, both terms."""

    @property
    def base(self) -> Term: ...

    @property
    def size(self) -> Term: ...


def is_off(block: Spread, runs: Iterable[range]) -> Term:
    """One bit: nothing of a block is in some ranges."""
    return t.all_of(
        is_beside(block, t.const(run.start, WIDE), t.const(run.stop, WIDE)) for run in runs
    )


def is_beside(block: Spread, low: Term, high: Term) -> Term:
    """One bit: a block ends before ``low`` or begins at ``high`` or behind it, or is empty."""
    end = t.add(widen(block.base), widen(block.size))
    before, behind = t.not_(t.ult(low, end)), t.not_(t.ult(widen(block.base), high))
    return t.or_(t.or_(before, behind), t.eq(block.size, t.const(0, 16)))


def runs_of(addresses: Iterable[int]) -> list[range]:
    """Addresses without gaps, in order."""
    runs: list[range] = []
    for address in sorted(addresses):
        if runs and runs[-1].stop == address:
            runs[-1] = range(runs[-1].start, address + 1)
        else:
            runs.append(range(address, address + 1))
    return runs
