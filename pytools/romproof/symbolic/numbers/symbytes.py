"""SymBytes: what a Python model sees in place of bytes, and values chosen without a branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast, overload

from romproof.symbolic.numbers import ranged
from romproof.symbolic.numbers.integers import Number, Order, SymInt, bits, choose_number, condition
from romproof.symbolic.numbers.integers import number as number_of
from romproof.symbolic.numbers.ranged import NotSymbolic, Ranged
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import LOAD
from romproof.symbolic.terms.term import Term


class SymBytes:
    """Bytes that may be symbolic, each an int or a SymInt within 0..255.

    It is used as a bytearray is: length, index, slice, iteration, assignment to single bytes
    and to slices that keep their length, ``==``. An index may be symbolic as well; one that
    can be outside raises IndexError on ways of its own.
    """

    __slots__ = ("_cells",)

    _cells: list[Number]

    def __init__(self, cells: Iterable[Number]) -> None:
        self._cells = list(cells)

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> SymBytes:
        """Of terms of 8 bits each."""
        return SymBytes(map(natural, terms))

    def terms(self) -> list[Term]:
        """A term of 8 bits for each byte."""
        return [bits(cell, 8) for cell in self]

    def copy(self) -> SymBytes:
        """The same bytes, to be changed on their own."""
        return SymBytes(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Number]:
        return (self._get(place) for place in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"

    @overload
    def __getitem__(self, index: slice) -> SymBytes: ...
    @overload
    def __getitem__(self, index: int | SymInt) -> Number: ...

    def __getitem__(self, index: int | SymInt | slice) -> Number | SymBytes:
        if isinstance(index, slice):
            return SymBytes(self._get(place) for place in range(len(self))[index])
        place = self._place(index)
        return self._get_at(place.term) if isinstance(place, SymInt) else self._get(place)

    def __setitem__(self, index: int | SymInt | slice, value: Any) -> None:
        if isinstance(index, slice):
            places = range(len(self))[index]
            cells = [_checked(cell) for cell in value]
            if len(cells) != len(places):
                raise NotSymbolic("symbolic bytes keep their number: assign as many as are there")
            for place, cell in zip(places, cells, strict=True):
                self._set(place, cell)
            return
        cell = _checked(value)
        where = self._place(index)
        if isinstance(where, SymInt):
            self._set_at(where.term, cell)
        else:
            self._set(where, cell)

    def _get(self, place: int) -> Number:
        return self._cells[place]

    def _get_at(self, place: Term) -> Number:
        return _selected(self._cells, place)

    def _set(self, place: int, cell: Number) -> None:
        self._cells[place] = cell

    def _set_at(self, place: Term, cell: Number) -> None:
        width = place.width
        for number, old in enumerate(self._cells):
            if number < 1 << width:
                here = t.eq(place, t.const(number, width))
                self._cells[number] = choose_number(here, cell, old)

    def _place(self, index: int | SymInt) -> Number:
        """An index as one from 0 on; asks whether it is one. Raises IndexError."""
        if not isinstance(index, SymInt):
            return range(len(self))[index]
        if index < -len(self) or index >= len(self):
            raise IndexError("index out of range")
        place: Number = index + len(self) if index < 0 else index
        if not isinstance(place, SymInt):
            return place
        return self._within(place.ranged, max(place.low, 0), min(place.high, len(self) - 1))

    def _within(self, place: Ranged, low: int, high: int) -> Number:
        """A place that is known to be inside."""
        return number_of(ranged.within(place, low, high))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (SymBytes, bytes, bytearray, list, tuple)):
            return NotImplemented
        if len(self) != len(other):
            return False
        result: Any = True
        for one, two in zip(self, other, strict=True):
            result = result & (one == two)
        return result

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else equal ^ True

    __hash__ = None  # type: ignore[assignment]  # as of a bytearray

    def __add__(self, other: Iterable[Number]) -> SymBytes:
        return SymBytes([*self, *other])

    def __radd__(self, other: Iterable[Number]) -> SymBytes:
        return SymBytes([*other, *self])


class ArrayBytes(SymBytes):
    """The ``size`` bytes of an array from ``base`` on; what is written makes another array."""

    __slots__ = ("array", "base", "size")

    def __init__(self, array: Term, base: int, size: int) -> None:
        self.array = array
        self.base = base
        self.size = size

    def copy(self) -> ArrayBytes:
        """The same bytes, to be changed on their own."""
        return ArrayBytes(self.array, self.base, self.size)

    def __len__(self) -> int:
        return self.size

    def _get(self, place: int) -> Number:
        return natural(t.load(self.array, t.const(self.base + place, 16)))

    def _get_at(self, place: Term) -> Number:
        return natural(t.load(self.array, self._address(place)))

    def _set(self, place: int, cell: Number) -> None:
        self.array = t.store(self.array, t.const(self.base + place, 16), bits(cell, 8))

    def _set_at(self, place: Term, cell: Number) -> None:
        self.array = t.store(self.array, self._address(place), bits(cell, 8))

    def _within(self, place: Ranged, low: int, high: int) -> Number:
        # as wide as an address: the sum with the base is the address that the place was made of
        return number_of(ranged.known(Ranged(ranged.fit(place, 16), low, high)))

    def _address(self, place: Term) -> Term:
        return t.add(t.zext(place, 16), t.const(self.base, 16))

    def is_beside(self, other: object) -> bool:
        """Whether the other bytes are those of another array at the same addresses."""
        return isinstance(other, ArrayBytes) and (self.base, self.size) == (other.base, other.size)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, ArrayBytes) and self.is_beside(other) and self.array is other.array:
            return True
        return super().__eq__(other)

    __hash__ = None


def symbolic_bytes(cells: Sequence[Number]) -> SymBytes | bytearray:
    """Bytes to be changed: plain ones if all are known, of an array if they are read from one."""
    if all(isinstance(cell, int) for cell in cells):
        return bytearray(cast("Sequence[int]", cells))
    terms = [bits(cell, 8) for cell in cells]
    if all(term.op is LOAD and term.args[1].is_const for term in terms):
        array, base = terms[0].args[0], terms[0].args[1].number
        places = [(term.args[0], term.args[1].number) for term in terms]
        if places == [(array, base + n) for n in range(len(terms))]:
            return ArrayBytes(array, base, len(terms))
    return SymBytes(cells)


def natural(term: Term) -> Number:
    """A term as a number without sign."""
    return number_of(ranged.known(ranged.unsigned(term)))


def _checked(value: Any) -> Number:
    """What may be assigned to a byte. Raises ValueError, as a bytearray does."""
    if not isinstance(value, (int, SymInt)):
        raise TypeError(f"a byte must be a number, not {value!r}")
    if value < 0 or value > 0xFF:
        raise ValueError("byte must be in range(0, 256)")
    if not isinstance(value, SymInt):
        return value
    return number_of(ranged.within(value.ranged, max(value.low, 0), min(value.high, 0xFF)))


def _selected(cells: Sequence[Number], index: Term) -> Number:
    """The cell at ``index``, which is within: halved bit by bit."""
    if all(isinstance(cell, int) for cell in cells):
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


def word(data: Iterable[Number], byteorder: Order = "big") -> Any:
    """The number that bytes make, as ``int.from_bytes`` does: of plain and symbolic ones."""
    cells = list(data)
    if byteorder == "little":
        cells.reverse()
    elif byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    if all(isinstance(cell, int) for cell in cells):
        return int.from_bytes(cast("list[int]", cells), "big")
    return natural(t.concat(*(bits(cell, 8) for cell in cells)))


def choose(condition_: Any, one: Any, other: Any) -> Any:
    """``one`` if the condition holds, else ``other``, without a branch.

    In a model that is proved this is one value, where ``one if condition else other`` means that
    the rest of the model is run twice. Both are numbers, or bytes, lists, tuples or
    dictionaries of them of one length.
    """
    if not isinstance(condition_, SymInt):
        return one if condition_ else other
    return either(condition(condition_), one, other)


def either(condition: Term, one: Any, other: Any) -> Any:
    """``one`` where the bit ``condition`` is set, else ``other``, as choose() does.

    Raises NotSymbolic for values of different shapes.
    """
    if one is other:
        return one
    if isinstance(one, (int, SymInt)) and isinstance(other, (int, SymInt)):
        return choose_number(condition, one, other)
    if isinstance(one, ArrayBytes) and isinstance(other, ArrayBytes) and one.is_beside(other):
        return ArrayBytes(t.array_ite(condition, one.array, other.array), one.base, one.size)
    kinds = (SymBytes, bytes, bytearray, list, tuple)
    if isinstance(one, kinds) and isinstance(other, kinds) and len(one) == len(other):
        cells = [either(condition, a, b) for a, b in zip(one, other, strict=True)]
        for kind in (list, tuple):
            if isinstance(one, kind) and isinstance(other, kind):
                return kind(cells)
        return SymBytes(cells)
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        return {key: either(condition, one[key], other[key]) for key in one}
    raise NotSymbolic(f"{_shape(one)} and {_shape(other)} cannot be one value")


def _shape(value: Any) -> str:
    if isinstance(value, (int, SymInt)):
        return "a number"
    kind = "bytes" if isinstance(value, SymBytes) else type(value).__name__
    if isinstance(value, Mapping):
        return f"{kind} with the keys {', '.join(map(str, value))}"
    return f"{kind} of {len(value)}" if hasattr(value, "__len__") else kind
