"""Rows that are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")


class Late(Sequence[T]):
    """Rows that are made when they are asked for: a link without faults needs few of them."""

    def __init__(self, make: Callable[[], Sequence[T]]) -> None:
        self._make = make

    @cached_property
    def _rows(self) -> Sequence[T]:
        return self._make()

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._rows[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


class Each(Sequence[T]):
    """Rows of which each is made when it is asked for, of what ``sources`` has at its place."""

    def __init__(self, sources: Sequence[S], make: Callable[[S], T]) -> None:
        self._sources = sources
        self._make = make

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return tuple(map(self._make, self._sources[index]))
        return self._make(self._sources[index])

    def __iter__(self) -> Iterator[T]:
        return map(self._make, self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))
