"""Polynomials whose unknowns are terms: sums of products, each with a rational factor.

The value of an unknown is its number without sign. Equality is one of integers modulo 2**width,
so a factor counts modulo 2**width; denominators are powers of two, which come and go: a part of a
number is (x - x mod 2**p) / 2**p.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from romproof.symbolic.terms.node import Term

Product = tuple[Term, ...]
"""Unknowns, in the order of making; one of a single bit stands there once, as b * b = b."""

Summand = tuple[int, int, Product]
"""A summand: factor, p for a denominator of 2**p, unknowns."""

SCALE = 512
"""Factors are kept times 2**SCALE."""


class TooLong(Exception):
    """A polynomial has more summands than it may have, or a denominator is too large."""


class Polynomial:
    """A sum that is to be 0 modulo 2**width, and which summands have which unknown."""

    def __init__(self, width: int, most: int) -> None:
        self.width = width
        self.most = most
        self.summands: dict[Product, int] = {}
        self._with: dict[Term, set[Product]] = {}

    def add(self, factor: int, places: int, product: Product) -> None:
        """Add a summand. Raises TooLong."""
        if places > SCALE:
            raise TooLong
        self._add(factor << SCALE - places, product)

    def _add(self, scaled: int, product: Product) -> None:
        """The same with a factor that is scaled; the sum of factors wraps around."""
        summands = self.summands
        whole = summands.get(product, 0) + scaled & (1 << self.width + SCALE) - 1
        if whole:
            if product not in summands:
                for unknown in product:
                    self._with.setdefault(unknown, set()).add(product)
            summands[product] = whole
            if len(summands) > self.most:
                raise TooLong
        elif product in summands:
            self._drop(product)

    def _drop(self, product: Product) -> int:
        for unknown in set(product):
            self._with[unknown].discard(product)
        return self.summands.pop(product)

    def has(self, unknown: Term) -> bool:
        """Is it in one of the summands?"""
        return bool(self._with.get(unknown))

    def unknowns(self) -> Iterator[Term]:
        """All that are in some summand, in the order of making."""
        used = [unknown for unknown, products in self._with.items() if products]
        yield from sorted(used, key=lambda unknown: unknown.serial)

    def put(self, unknown: Term, value: Iterable[Summand], modulo: int | None = None) -> set[Term]:
        """Put a value in the place of an unknown; gives the unknowns that are there instead.

        With ``modulo`` the value is right modulo 2**modulo only: it is put where the rest is a
        multiple of 2**(width - modulo), which a fraction may not be though ``modulo`` is larger
        than ``width``; and the unknown stays elsewhere. Raises TooLong.
        """
        parts = list(value)
        new: set[Term] = set()
        while True:
            products = [p for p in self._with.get(unknown, ()) if self._may(p, modulo)]
            if not products:
                return new
            for product in products:
                # what was put for another one may have taken this one away, or changed its factor
                if product not in self.summands or not self._may(product, modulo):
                    continue
                scaled = self._drop(product)
                at = product.index(unknown)
                rest = product[:at] + product[at + 1 :]
                for factor, places, others in parts:
                    whole = scaled * factor
                    if whole & (1 << places) - 1:
                        raise TooLong
                    new.update(others)
                    self._add(whole >> places, multiply(rest, others))

    def _may(self, product: Product, modulo: int | None) -> bool:
        if modulo is None:
            return True
        free = max(0, self.width + SCALE - modulo)
        return not self.summands[product] & (1 << free) - 1


def multiply(one: Product, other: Product) -> Product:
    """The product of two."""
    both = sorted((*one, *other), key=lambda unknown: unknown.serial)
    product: list[Term] = []
    for unknown in both:
        if not (product and product[-1] is unknown and unknown.width == 1):
            product.append(unknown)
    return tuple(product)
