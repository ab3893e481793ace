"""SymInt: what a Python model sees in place of an int.

All operators are those of Python's integers: no width, no wrap-around, rounding down. A
comparison gives a SymInt that is False or True. What is known becomes a plain int or bool.
While a model is run a SymInt is an int (or bool) to ``isinstance`` and has the attributes
of one; what cannot be as it is with an int is refused.

Python itself wants a definite answer where a number stands in ``if``, ``while``, ``and``,
``or``, ``not``, as an index of a list or of bytes, in ``range``, as a key or as text: then the
model is run once for each of the answers (romproof.symbolic.numbers.model_run). ``choose`` takes
one of two values without that. ``int.from_bytes`` does not let itself be called with symbolic
bytes: ``word`` (romproof.symbolic.numbers.choices) is the same for bytes of both kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, Union

from romproof.symbolic.numbers import ranged
from romproof.symbolic.numbers.attributes import IntAttributes
from romproof.symbolic.numbers.decisions import decide, is_running, one_value
from romproof.symbolic.numbers.operands import operand
from romproof.symbolic.numbers.ranged import Ranged
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term

IntLike = Union[int, "SymInt"]

Order = Literal["big", "little"]

IntType = type[int] | None
"""int, bool, or None: it is not known which of them."""


class SymInt(IntAttributes):
    """An integer about which only the term is known; see the module.

    ``term`` is read as a number in two's complement if ``low`` is negative, else as one
    without sign; the number is within ``low`` .. ``high``. Without a range it is that
    of the term, without sign. ``bits(number, width)`` gives a term of any width. A model
    that is run does not see them.
    """

    __slots__ = ("_symbolic_kind", "_symbolic_range")

    _symbolic_bytes: ClassVar[Callable[..., Any]]
    """Makes bytes of numbers: SymBytes, which stands above integers and gives itself here."""

    __array_ufunc__ = None  # numpy's numbers, which wrap around, leave operators to us

    def __init__(
        self, term: Term, low: int | None = None, high: int | None = None, kind: IntType = int
    ) -> None:
        within = ranged.as_unsigned(term)
        self._symbolic_kind = kind
        self._symbolic_range = Ranged(
            term, within.low if low is None else low, within.high if high is None else high
        )

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # what isinstance() goes by
        if not is_running():
            return SymInt
        if self._symbolic_kind is None:
            raise NotSymbolic("whether this is a bool or an int depends on choose(): choose ints")
        return self._symbolic_kind

    @property
    def term(self) -> Term:
        """The bits."""
        return self._hidden("term").term

    @property
    def low(self) -> int:
        """The least it can be."""
        return self._hidden("low").low

    @property
    def high(self) -> int:
        """The most it can be."""
        return self._hidden("high").high

    def _hidden(self, name: str) -> Ranged:
        if is_running():
            raise AttributeError(f"'int' object has no attribute '{name}'")
        return self._symbolic_range

    def _plain(self) -> int:
        """One of its values, as what it is."""
        value = one_value(self._symbolic_range)
        kind = self.__class__
        return bool(value) if kind is bool else value

    def __repr__(self) -> str:
        if is_running():
            return repr(self._plain())
        return f"<a number within {self._symbolic_range.low}..{self._symbolic_range.high}>"

    def __format__(self, form: str) -> str:
        return format(self._plain(), form) if is_running() else repr(self)

    # sums and products

    def __add__(self, other: Any) -> Any:
        return _with(ranged.add, self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _with(ranged.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _with(ranged.subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        # beside a list Python goes on to repeat it, by __index__
        return _with(ranged.multiply, self, other)

    __rmul__ = __mul__

    def __neg__(self) -> IntLike:
        return number(ranged.subtract(ranged.constant(0), self._symbolic_range))

    def __pos__(self) -> IntLike:
        return number(self._symbolic_range)

    def __abs__(self) -> IntLike:
        own = self._symbolic_range
        negative = ranged.subtract(ranged.constant(0), own)
        below = ranged.less(own, ranged.constant(0))
        chosen = ranged.choose(below, negative, own)
        return number(ranged.within(chosen, 0, max(-own.low, own.high)))

    def __pow__(self, exponent: Any, modulus: Any = None) -> Any:
        if modulus is not None or type(exponent) is not int or exponent < 0:
            raise NotSymbolic("a power of a symbolic number needs a known exponent from 0 on")
        product: Any = 1
        for _ in range(exponent):
            product = product * self
        return product

    def __rpow__(self, base: Any, modulus: Any = None) -> Any:
        if (
            modulus is not None
            or type(base) is not int
            or base != 2
            or self._symbolic_range.low < 0
        ):
            raise NotSymbolic("a symbolic number can only be an exponent of 2, from 0 on")
        return 1 << self

    # bits

    def __and__(self, other: Any) -> Any:
        return _with(ranged.bit_and, self, other, logical=True)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        return _with(ranged.bit_or, self, other, logical=True)

    __ror__ = __or__

    def __xor__(self, other: Any) -> Any:
        return _with(ranged.bit_xor, self, other, logical=True)

    __rxor__ = __xor__

    def __invert__(self) -> IntLike:
        return number(ranged.invert(self._symbolic_range))

    def __lshift__(self, count: Any) -> Any:
        return _shift(self, count, left=True)

    def __rlshift__(self, shifted: Any) -> Any:
        return _shift(shifted, self, left=True)

    def __rshift__(self, count: Any) -> Any:
        return _shift(self, count, left=False)

    def __rrshift__(self, shifted: Any) -> Any:
        return _shift(shifted, self, left=False)

    def bit_count(self) -> Any:
        """How many bits are set, of a number from 0 on. Raises NotSymbolic."""
        if self._symbolic_range.low < 0:
            raise NotSymbolic("bit_count() of a symbolic number that may be negative")
        return sum(self >> bit & 1 for bit in range(self._symbolic_range.width))

    def bit_length(self) -> int:
        """Not there. Raises NotSymbolic."""
        raise NotSymbolic(
            "bit_length() is not available for a symbolic number: compare it with powers of two"
        )

    # quotients

    def __floordiv__(self, other: Any) -> Any:
        return _divide(self, other, lambda quotient, remainder: quotient)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divide(other, self, lambda quotient, remainder: quotient)

    def __mod__(self, other: Any) -> Any:
        return _divide(self, other, lambda quotient, remainder: remainder)

    def __rmod__(self, other: Any) -> Any:
        return _divide(other, self, lambda quotient, remainder: remainder)

    def __divmod__(self, other: Any) -> Any:
        return _divide(self, other, lambda quotient, remainder: (quotient, remainder))

    def __rdivmod__(self, other: Any) -> Any:
        return _divide(other, self, lambda quotient, remainder: (quotient, remainder))

    def __truediv__(self, other: Any) -> Any:
        raise NotSymbolic("/ of a symbolic number: only // gives an integer")

    __rtruediv__ = __truediv__

    # comparisons

    def __eq__(self, other: object) -> Any:
        two = _to_ranged(other)
        return NotImplemented if two is None else truth(ranged.equal(self._symbolic_range, two))

    def __ne__(self, other: object) -> Any:
        two = _to_ranged(other)
        return (
            NotImplemented
            if two is None
            else truth(t.not_(ranged.equal(self._symbolic_range, two)))
        )

    def __lt__(self, other: Any) -> Any:
        two = _to_ranged(other)
        return NotImplemented if two is None else truth(ranged.less(self._symbolic_range, two))

    def __gt__(self, other: Any) -> Any:
        two = _to_ranged(other)
        return NotImplemented if two is None else truth(ranged.less(two, self._symbolic_range))

    def __le__(self, other: Any) -> Any:
        two = _to_ranged(other)
        return (
            NotImplemented if two is None else truth(t.not_(ranged.less(two, self._symbolic_range)))
        )

    def __ge__(self, other: Any) -> Any:
        two = _to_ranged(other)
        return (
            NotImplemented if two is None else truth(t.not_(ranged.less(self._symbolic_range, two)))
        )

    # where Python wants to know

    def __bool__(self) -> bool:
        return decide(condition(self))

    def __index__(self) -> int:
        return one_value(self._symbolic_range)

    def __int__(self) -> int:
        return one_value(self._symbolic_range)

    def __hash__(self) -> int:
        return hash(one_value(self._symbolic_range))

    def to_bytes(self, length: int = 1, byteorder: Order = "big", *, signed: bool = False) -> Any:
        """As of int, SymBytes. A number that does not fit raises OverflowError."""
        length = length.__index__()
        if byteorder not in ("big", "little"):
            raise ValueError("byteorder must be either 'little' or 'big'")
        if length < 0:
            raise ValueError("length argument must be non-negative")
        size = 8 * length
        low, high = (-(1 << size >> 1), (1 << size >> 1) or 1) if signed else (0, 1 << size)
        if self < low or self >= high:
            raise OverflowError("int too big to convert, or negative")
        cells = [number(byte) for byte in ranged.bytes_of(self._symbolic_range, length)]
        return SymInt._symbolic_bytes(cells if byteorder == "little" else reversed(cells), bytes)


def number(value: Ranged, kind: IntType = int) -> IntLike:
    """What Python is to see: an int or a bool if that is known."""
    if value.low != value.high or kind is None:
        return SymInt(*value, kind)
    return kind(value.low)


def truth(condition: Term) -> IntLike:
    """What Python is to see of one bit: a bool if that is known."""
    return bool(condition.number) if condition.is_const else SymInt(condition, kind=bool)


def kind_of(value: IntLike) -> IntType:
    """Whether it is an int or a bool."""
    if isinstance(value, SymInt):
        return value._symbolic_kind
    return bool if isinstance(value, bool) else int


def of_kind(value: IntLike, kind: IntType) -> IntLike:
    """The same number as a bool or an int."""
    own = _to_ranged(value)
    assert own is not None
    return number(own, kind)


def condition(value: IntLike) -> Term:
    """One bit: whether ``value`` is not 0."""
    if not isinstance(value, SymInt):
        return t.TRUE if value else t.FALSE
    own = value._symbolic_range
    if own.low >= 0 and own.term.width == 1:
        return own.term
    return t.not_(ranged.equal(own, ranged.constant(0)))


def bits(value: IntLike, width: int) -> Term:
    """The lower ``width`` bits of ``value``; of a negative one, in two's complement."""
    if isinstance(value, SymInt):
        return ranged.fit(value._symbolic_range, width)
    return t.const(value & (1 << width) - 1, width)


def range_of(value: IntLike) -> Ranged:
    """A number of either kind, with its range."""
    return value._symbolic_range if isinstance(value, SymInt) else ranged.constant(int(value))


def choose_number(condition: Term, one: IntLike, other: IntLike) -> IntLike:
    """``one`` where the bit ``condition`` is set, else ``other``."""
    kinds = {kind_of(one), kind_of(other)}
    kind = kinds.pop() if len(kinds) == 1 else None
    return number(ranged.choose(condition, range_of(one), range_of(other)), kind)


def _to_ranged(value: object) -> Ranged | None:
    """A number of either kind; None for what integers know nothing of. Raises NotSymbolic."""
    return value._symbolic_range if isinstance(value, SymInt) else operand(value)


def _with(
    operation: Callable[[Ranged, Ranged], Ranged], one: Any, two: Any, logical: bool = False
) -> Any:
    a, b = _to_ranged(one), _to_ranged(two)
    if a is None or b is None:
        return NotImplemented
    kinds: set[IntType] = {kind_of(one), kind_of(two)} if logical else {int}
    kind = int if int in kinds else None if None in kinds else bool
    return number(operation(a, b), kind)


def _shift(value: object, count: object, left: bool) -> Any:
    a, b = _to_ranged(value), _to_ranged(count)
    if a is None or b is None:
        return NotImplemented
    if b.low < 0:
        if decide(ranged.less(b, ranged.constant(0))):
            raise ValueError("negative shift count")
        b = Ranged(b.term, 0, b.high)
    return number(ranged.shift(a, b, left))


def _divide(one: object, two: object, part: Callable[[IntLike, IntLike], Any]) -> Any:
    """What ``part`` makes of quotient and remainder.

    A model that divides by 0 raises ZeroDivisionError. Where no model is run, in the
    conditions of contracts, the quotient and the remainder are 0.
    """
    a, b = _to_ranged(one), _to_ranged(two)
    if a is None or b is None:
        return NotImplemented
    zero = ranged.constant(0)
    by_zero = ranged.equal(b, zero)
    if by_zero is not t.FALSE and (by_zero is t.TRUE or is_running()):
        if decide(by_zero):
            raise ZeroDivisionError("integer division or modulo by zero")
        by_zero = t.FALSE
    negative = b.low < 0 and decide(ranged.less(b, zero))
    if negative:
        a, b = ranged.subtract(zero, a), ranged.subtract(zero, b)
    quotient, remainder = ranged.divide(a, Ranged(b.term, max(b.low, 1), b.high))
    if negative:
        remainder = ranged.subtract(zero, remainder)
    chosen = [ranged.choose(by_zero, zero, result) for result in (quotient, remainder)]
    return part(number(chosen[0]), number(chosen[1]))
