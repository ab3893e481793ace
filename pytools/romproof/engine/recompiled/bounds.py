"""Which numbers a value can be: enough to know what memory an access can reach."""

from __future__ import annotations

from romproof.isa.algebra import Op, Value


def bounds(value: Value) -> tuple[int, int]:
    """The least and the greatest number a value can be, or wider."""
    top = (1 << value.width) - 1
    match value:
        case Value(op=Op.CONST, number=number):
            return number, number
        case Value(op=Op.CONCAT, args=(high, low)):
            (least, greatest), (low_least, low_greatest) = bounds(high), bounds(low)
            return least << low.width | low_least, greatest << low.width | low_greatest
        case Value(op=Op.SELECT, args=(_, then, otherwise)):
            (a, b), (c, d) = bounds(then), bounds(otherwise)
            return min(a, c), max(b, d)
        case Value(op=Op.ADD, args=(one, other)):
            (a, b), (c, d) = bounds(one), bounds(other)
            return (a + c, b + d) if b + d <= top else (0, top)
        case Value(op=Op.AND, args=(one, other)):
            return 0, min(bounds(one)[1], bounds(other)[1])
    return 0, top
