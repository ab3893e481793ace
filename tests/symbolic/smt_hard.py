"""Questions that are not easy."""

from __future__ import annotations

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

X, Y, W = t.var("x", 32), t.var("y", 32), t.var("w", 32)
HARD = t.eq(t.mul(X, Y), t.const(0x12345679, 32))
OTHER = t.eq(t.mul(X, W), t.const(0x12345679, 32))


def shift_and_add(prefix: str, bits: int) -> list[Term]:
    """That a product by shifts and sums is another than the product: it is not."""
    a, b = t.var(f"{prefix}a", bits), t.var(f"{prefix}b", bits)
    wide = 2 * bits
    total = t.const(0, wide)
    for bit in range(bits):
        shifted = t.mul(t.zext(a, wide), t.const(1 << bit, wide))
        total = t.add(total, t.ite(t.extract(b, bit, 1), shifted, t.const(0, wide)))
    return [t.not_(t.eq(total, t.mul(t.zext(a, wide), t.zext(b, wide))))]


def remainders() -> list[Term]:
    """What takes z3 hours, and Bitwuzla some thousand steps."""
    a, b, c = (t.var(name, 64) for name in "abc")
    odd = t.or_(c, t.const(1, 64))
    left = t.rem(t.add(t.mul(a, b), t.mul(c, c)), odd)
    right = t.rem(t.add(t.mul(a, t.add(b, t.const(1, 64))), t.mul(c, c)), odd)
    return [t.not_(t.eq(left, right)), t.eq(t.mul(a, a), t.add(t.mul(b, c), t.const(7, 64)))]
