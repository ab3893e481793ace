"""Tables of products: the bytes of the multiples of a number, each byte in its own table.

A table with table[n] = table[0] + step * n (modulo 256) is a sum. A higher byte of the product
F * n + S also depends on the carries from below, so it is recognised together with the bits below
it: given P = F * n + S modulo 2**b, the next table must hold (F' * n + S') >> b for an F' and S'
that agree with F and S modulo 2**b. S' is the product at n = 0 and F' the product at n = 1 less
that; all other entries are then checked. So products grow by a byte at a time.
"""

from __future__ import annotations

from romproof.symbolic.terms.node import CONCAT, EXTRACT, LOOKUP, SUM, Term
from romproof.symbolic.terms.slices import extract, join
from romproof.symbolic.terms.sums import total


def line(table: bytes, index: Term) -> Term | None:
    """The byte of a table at an index, where it is a multiple of the index plus a constant."""
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
    # with an odd factor of ...001, the lowest bits of the product are those of the index itself
    for place, factor in ((0, known), (lowest.width, known << lowest.width | 1)):
        longer = _longer(table, index, factor, low, place)
        if longer is not None:
            return longer
    return None


def _longer(table: bytes, index: Term, factor: int, low: Term, place: int) -> Term | None:
    """The bits from ``place`` on of a product that begins with ``low`` and continues in a table."""
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
    """A sum with a part x of something, above the w bits below that part.

    (x + rest):low = (x:low) + (rest << w), as ``rest`` adds nothing below place w.
    """
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
