"""SymBytes: what a Python model sees in place of bytes and of a bytearray."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, NoReturn, cast, overload

from romproof.symbolic.numbers import ranged
from romproof.symbolic.numbers.decisions import is_running
from romproof.symbolic.numbers.integers import (
    IntLike,
    SymInt,
    bits,
    choose_number,
    of_kind,
    range_of,
)
from romproof.symbolic.numbers.integers import number as number_of
from romproof.symbolic.numbers.operands import OTHERS
from romproof.symbolic.numbers.ranged import Ranged
from romproof.symbolic.numbers.refusal import NotSymbolic
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import LOAD
from romproof.symbolic.terms.term import Term

BytesType = type[bytes] | type[bytearray]


class SymBytes:
    """Bytes that may be symbolic, each an int or a SymInt within 0..255.

    It is used as the bytearray, or the bytes, that it stands for: length, index, slice,
    iteration, ``+`` and ``*``, ``==``, ``in``; a bytearray's bytes and slices may be assigned to
    as long as their number stays. An index may be symbolic as well; one that can be outside
    raises IndexError on ways of its own. Whatever else bytes have is refused.
    """

    __slots__ = ("_symbolic_cells", "_symbolic_kind")

    __array_ufunc__ = None

    _symbolic_cells: list[IntLike]

    def __init__(self, cells: Iterable[IntLike], kind: BytesType = bytearray) -> None:
        self._symbolic_cells = list(cells)
        self._symbolic_kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # what isinstance() goes by
        return self._symbolic_kind

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> SymBytes:
        """Of terms of 8 bits each."""
        return SymBytes(map(natural, terms))

    def terms(self) -> list[Term]:
        """A term of 8 bits for each byte."""
        self._hidden("terms")
        return [bits(cell, 8) for cell in self]

    def _hidden(self, name: str) -> None:
        """Models do not see what bytes do not have."""
        if is_running():
            raise AttributeError(
                f"'{self._symbolic_kind.__name__}' object has no attribute '{name}'"
            )

    def copy(self) -> SymBytes:
        """The same bytes, to be changed on their own."""
        if self._symbolic_kind is bytes:
            self._hidden("copy")
        return self.__copy__()

    def __copy__(self) -> SymBytes:
        return SymBytes(self._symbolic_cells, self._symbolic_kind)

    def __deepcopy__(self, memo: object) -> SymBytes:
        return self.__copy__()

    def __len__(self) -> int:
        return len(self._symbolic_cells)

    def __iter__(self) -> Iterator[IntLike]:
        return (self._get(place) for place in range(len(self)))

    def __repr__(self) -> str:
        if is_running():
            self._refuse("their text")
        return f"<{len(self)} bytes>"

    @overload
    def __getitem__(self, index: slice) -> SymBytes: ...
    @overload
    def __getitem__(self, index: int | SymInt) -> IntLike: ...

    def __getitem__(self, index: int | SymInt | slice) -> IntLike | SymBytes:
        if isinstance(index, slice):
            places = range(len(self))[index]
            return SymBytes((self._get(place) for place in places), self._symbolic_kind)
        place = self._place(index)
        return self._get_at(place) if isinstance(place, SymInt) else self._get(place)

    def __setitem__(self, index: int | SymInt | slice, value: Any) -> None:
        if self._symbolic_kind is bytes:
            raise TypeError("'bytes' object does not support item assignment")
        if isinstance(index, slice):
            places = range(len(self))[index]
            cells = [check_byte(cell) for cell in value]
            if len(cells) != len(places):
                self._refuse("a change of their number: assign as many bytes as are replaced")
            for place, cell in zip(places, cells, strict=True):
                self._set(place, cell)
            return
        cell = check_byte(value)
        where = self._place(index)
        if isinstance(where, SymInt):
            self._set_at(range_of(where).term, cell)
        else:
            self._set(where, cell)

    def _get(self, place: int) -> IntLike:
        return self._symbolic_cells[place]

    def _get_at(self, place: SymInt) -> IntLike:
        return _select(self._symbolic_cells, range_of(place).term)

    def _set(self, place: int, cell: IntLike) -> None:
        self._symbolic_cells[place] = cell

    def _set_at(self, place: Term, cell: IntLike) -> None:
        width = place.width
        for number, old in enumerate(self._symbolic_cells):
            if number < 1 << width:
                here = t.eq(place, t.const(number, width))
                self._symbolic_cells[number] = choose_number(here, cell, old)

    def _place(self, index: int | SymInt) -> IntLike:
        """An index as one from 0 on; asks whether it is one. Raises IndexError."""
        if not isinstance(index, SymInt):
            return range(len(self))[index]
        if index < -len(self) or index >= len(self):
            raise IndexError("index out of range")
        place: IntLike = index + len(self) if index < 0 else +index
        if not isinstance(place, SymInt):
            return place
        limits = range_of(place)
        return self._within(limits, max(limits.low, 0), min(limits.high, len(self) - 1))

    def _within(self, place: Ranged, low: int, high: int) -> IntLike:
        """A place that is known to be inside."""
        return number_of(ranged.within(place, low, high))

    def __contains__(self, wanted: Any) -> bool:
        if not isinstance(wanted, (SymInt, int)):
            self._refuse("bytes looked for in them")
        value = check_byte(wanted)
        contained: Any = False
        for cell in self:
            contained = contained | (cell == value)
        return bool(contained)

    def __eq__(self, other: object) -> Any:
        if not is_bytes(other):
            return self._unlike(other)
        return same_bytes(self, other)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else equal ^ True

    def _unlike(self, other: object) -> Any:
        """Bytes are not equal to, nor added to, what is not bytes; buffers are both."""
        if type(other) not in {SymInt, int, bool, *OTHERS}:
            self._refuse(f"them beside a {type(other).__name__}")
        return NotImplemented

    def __hash__(self) -> int:
        if self._symbolic_kind is bytearray:
            raise TypeError("unhashable type: 'bytearray'")
        return hash(bytes(cell.__index__() for cell in self))

    def __add__(self, other: Any) -> Any:
        return (
            SymBytes([*self, *other], self._symbolic_kind)
            if is_bytes(other)
            else self._unlike(other)
        )

    def __radd__(self, other: Any) -> Any:
        if isinstance(other, bytearray):  # this may be += as well, of which others would know
            self._refuse("them added to a bytearray: write bytes(...) + them")
        return SymBytes([*other, *self], bytes) if is_bytes(other) else self._unlike(other)

    def __mul__(self, count: Any) -> Any:
        if not isinstance(count, (int, SymInt)):
            return NotImplemented
        return SymBytes(list(self) * count.__index__(), self._symbolic_kind)

    __rmul__ = __mul__

    def __iadd__(self, other: Any) -> Any:
        if self._symbolic_kind is bytearray:
            self._refuse("another number of them: write a new name = them + others")
        return self + other

    def __imul__(self, count: Any) -> Any:
        if self._symbolic_kind is bytearray:
            self._refuse("another number of them")
        return self * count

    def _refuse(self, what: str) -> NoReturn:
        raise NotSymbolic(f"symbolic bytes cannot do everything that bytes can: {what}")

    def __getattr__(self, name: str) -> Any:
        if hasattr(self._symbolic_kind, name):
            self._refuse(f".{name}; use their single bytes")
        raise AttributeError(f"'{self._symbolic_kind.__name__}' object has no attribute '{name}'")

    def __delitem__(self, index: Any) -> None:
        self._refuse("del")

    def __mod__(self, values: Any) -> Any:
        self._refuse("%")

    def __lt__(self, other: Any) -> Any:
        self._refuse("an order, < or >")

    __le__ = __gt__ = __ge__ = __lt__

    def __format__(self, form: str) -> str:
        return repr(self)

    def __bytes__(self) -> bytes:
        return self._refuse("bytes(...) or int.from_bytes(...): write them[:], or romproof.word()")

    def __reduce_ex__(self, protocol: Any) -> Any:
        self._refuse("pickle")


SymInt._symbolic_bytes = SymBytes


class ArrayBytes(SymBytes):
    """The ``size`` bytes of an array from ``base`` on; what is written makes another array."""

    __slots__ = ("_symbolic_array", "_symbolic_base", "_symbolic_size")

    def __init__(self, array: Term, base: int, size: int) -> None:
        self._symbolic_array = array
        self._symbolic_base = base
        self._symbolic_size = size
        self._symbolic_kind = bytearray

    @property
    def array(self) -> Term:
        """The array they are of."""
        self._hidden("array")
        return self._symbolic_array

    @property
    def base(self) -> int:
        """The address of the first one."""
        self._hidden("base")
        return self._symbolic_base

    def __copy__(self) -> ArrayBytes:
        return ArrayBytes(self._symbolic_array, self._symbolic_base, self._symbolic_size)

    def __len__(self) -> int:
        return self._symbolic_size

    def _get(self, place: int) -> IntLike:
        return natural(t.load(self._symbolic_array, t.const(self._symbolic_base + place, 16)))

    def _get_at(self, place: SymInt) -> IntLike:
        return natural(t.load(self._symbolic_array, self._address(range_of(place).term)))

    def _set(self, place: int, cell: IntLike) -> None:
        self._symbolic_array = t.store(
            self._symbolic_array, t.const(self._symbolic_base + place, 16), bits(cell, 8)
        )

    def _set_at(self, place: Term, cell: IntLike) -> None:
        self._symbolic_array = t.store(self._symbolic_array, self._address(place), bits(cell, 8))

    def _within(self, place: Ranged, low: int, high: int) -> IntLike:
        # as wide as an address: the sum with the base is the address that the place was made of
        return number_of(ranged.fold_constant(Ranged(ranged.fit(place, 16), low, high)))

    def _address(self, place: Term) -> Term:
        return t.add(t.zext(place, 16), t.const(self._symbolic_base, 16))

    def one_of_two(self, condition: Term, other: SymBytes) -> ArrayBytes | None:
        """These where the bit ``condition`` is set, else the other ones; None when those are not
        of an array at the same addresses."""
        if not isinstance(other, ArrayBytes):
            return None
        if (self._symbolic_base, self._symbolic_size) != (
            other._symbolic_base,
            other._symbolic_size,
        ):
            return None
        chosen = t.array_ite(condition, self._symbolic_array, other._symbolic_array)
        return ArrayBytes(chosen, self._symbolic_base, self._symbolic_size)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, ArrayBytes) and self._is_same(other):
            return True
        return SymBytes.__eq__(self, other)

    def _is_same(self, other: ArrayBytes) -> bool:
        where = (self._symbolic_array, self._symbolic_base, self._symbolic_size)
        return where == (other._symbolic_array, other._symbolic_base, other._symbolic_size)

    __hash__ = SymBytes.__hash__


def is_bytes(value: object) -> bool:
    """Whether a value is bytes or a bytearray, plain or symbolic."""
    return isinstance(value, (SymBytes, bytes, bytearray))


def kind_of_bytes(value: SymBytes | bytes | bytearray) -> BytesType:
    """Whether they are bytes or a bytearray."""
    return bytes if isinstance(value, bytes) else bytearray


_PLAIN = bytes, bytearray


def same_bytes(one: Any, two: Any) -> Any:
    """Whether two sequences of bytes are equal: a bool, or a SymInt of one bit."""
    if len(one) != len(two):
        return False
    if type(one) in _PLAIN and type(two) in _PLAIN:  # SymBytes says that it is a bytearray
        return one == two
    result: Any = True
    for a, b in zip(one, two, strict=True):
        result = result & (a == b)
    return result


def symbolic_bytes(cells: Sequence[IntLike]) -> SymBytes | bytearray:
    """Bytes to be changed: plain ones if all are known, of an array if they are read from one."""
    if type(cells) is bytes or not any(isinstance(cell, SymInt) for cell in cells):
        return bytearray(cast("Sequence[int]", cells))
    terms = [bits(cell, 8) for cell in cells]
    if all(term.op is LOAD and term.args[1].is_const for term in terms):
        array, base = terms[0].args[0], terms[0].args[1].number
        places = [(term.args[0], term.args[1].number) for term in terms]
        if places == [(array, base + n) for n in range(len(terms))]:
            return ArrayBytes(array, base, len(terms))
    return SymBytes(cells)


def natural(term: Term) -> IntLike:
    """A term as a number without sign."""
    return number_of(ranged.fold_constant(ranged.as_unsigned(term)))


def check_byte(value: Any) -> IntLike:
    """What may be a byte. Raises ValueError, as a bytearray does, and TypeError."""
    if not isinstance(value, SymInt):
        value = int(index(value))
    if value < 0 or value > 0xFF:
        raise ValueError("byte must be in range(0, 256)")
    if not isinstance(value, SymInt):
        return int(value)
    own = range_of(of_kind(value, int))
    return number_of(ranged.within(own, max(own.low, 0), min(own.high, 0xFF)))


def _select(cells: Sequence[IntLike], index: Term) -> IntLike:
    """The cell at ``index``, which is within: halved bit by bit."""
    if not any(isinstance(cell, SymInt) for cell in cells):
        return natural(t.lookup(bytes(cast("Sequence[int]", cells)), index))
    level = list(cells)
    for bit in range(index.width):
        if len(level) == 1:
            break
        chosen = t.extract(index, bit, 1)
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [
            choose_number(chosen, pair[1], pair[0]) if len(pair) == 2 else pair[0] for pair in pairs
        ]
    return level[0]
