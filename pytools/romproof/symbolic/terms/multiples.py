"""Tables of products: the bytes of the multiples of a number, each in a table of its own.

A table whose entries grow by the same number each time is a sum. The bytes above need the
tables below them: what the table next to a known product holds makes a longer product.
"""

from __future__ import annotations

from romproof.symbolic.terms.node import CONCAT, EXTRACT, LOOKUP, SUM, Term
from romproof.symbolic.terms.slices import extract, join
from romproof.symbolic.terms.sums import total


def line(table: bytes, index: Term) -> Term | None:
    """The byte of a table at an index, where it is a multiple of the index and a number more."""
    step = table[1] - table[0]
    if any(byte != table[0] + step * n & 0xFF for n, byte in enumerate(table)):
        return None
    return total(8, [(step, index)], table[0])


def join_table(high: Term, low: Term) -> Term | None:
    """A byte of a product and all bits below it, or all but the lowest ones."""
    if high.op is not LOOKUP:
        return None
    if low.op is EXTRACT and low.number + low.width == low.args[0].width:
        whole = join_table(high, low.args[0])
        return None if whole is None else extract(whole, low.number, low.width + 8)
    if low.op is not SUM:
        return None
    index, table = high.args[0], high.table
    if len(table) != 1 << index.width:
        return None
    lowest = index.args[-1] if index.op is CONCAT else index
    known = dict(zip(low.args, low.factors, strict=True)).get(lowest, 0)
    # the lowest part of the index stands for itself where the factor is 1 in its bits
    for place, factor in ((0, known), (lowest.width, known << lowest.width | 1)):
        longer = _longer(table, index, factor, low, place)
        if longer is not None:
            return longer
    return None


def _longer(table: bytes, index: Term, factor: int, low: Term, place: int) -> Term | None:
    """The bits from ``place`` on of a product that begins with ``low`` and goes on in a table."""
    number, bits = low.number << place, place + low.width
    if extract(total(bits, [(factor, index)], number), place, low.width) is not low:
        return None
    below = (1 << bits) - 1
    start = table[0] << bits | number & below
    factor = (table[1] << bits | factor + number & below) - start
    if any(byte != factor * n + start >> bits & 0xFF for n, byte in enumerate(table)):
        return None
    return extract(total(bits + 8, [(factor, index)], start), place, low.width + 8)


def join_sum(high: Term, low: Term) -> Term | None:
    """A sum with a part of something, and what is below that part."""
    if high.op is not SUM:
        return None
    for arg, factor in zip(high.args, high.factors, strict=True):
        if factor == 1 and arg.op in (LOOKUP, EXTRACT):
            joined = join(arg, low)
            if joined is not None:
                others = zip(high.factors, high.args, strict=True)
                work = [(f << low.width, term) for f, term in others if term is not arg]
                return total(high.width + low.width, [(1, joined), *work], high.number << low.width)
    return None
