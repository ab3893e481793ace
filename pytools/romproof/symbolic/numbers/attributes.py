"""The attributes that an integer has because other numbers have them."""

from __future__ import annotations

import sys
from typing import Any

from romproof.symbolic.numbers.refusal import NotSymbolic


class IntAttributes:
    """What a symbolic number has of that; ``+self`` is the number as an int."""

    __slots__ = ()

    def __pos__(self) -> Any:
        raise NotImplementedError

    @property
    def real(self) -> Any:
        """The number."""
        return +self

    @property
    def imag(self) -> int:
        """0."""
        return 0

    @property
    def numerator(self) -> Any:
        """The number."""
        return +self

    @property
    def denominator(self) -> int:
        """1."""
        return 1

    def conjugate(self) -> Any:
        """The number."""
        return +self

    def as_integer_ratio(self) -> tuple[Any, int]:
        """The number and 1."""
        return +self, 1

    if sys.version_info >= (3, 12):

        def is_integer(self) -> bool:
            """True."""
            return True

    __trunc__ = __floor__ = __ceil__ = conjugate

    def __round__(self, digits: Any = None) -> Any:
        return +self if digits is None or digits >= 0 else round(int(+self), digits)

    from_bytes = int.from_bytes

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise NotSymbolic("a symbolic number cannot be pickled")

    def __float__(self) -> float:
        raise NotSymbolic("a symbolic number cannot be made a float")

    def __complex__(self) -> complex:
        raise NotSymbolic("a symbolic number cannot be made a complex number")
