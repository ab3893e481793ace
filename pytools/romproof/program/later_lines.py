"""Lines of a program that are made when somebody asks for one.

They are most of what is known of a program, a hundred thousand objects and more with their places
in sources, and most who load one want its bytes and its labels, and where its code is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, overload

Line = TypeVar("Line")


class LineExtent(NamedTuple):
    """Where the bytes of a line are, ``size`` of them: none where a segment has no contents."""

    address: int
    size: int
    is_code: bool
    segment: str


class LaterLines(Sequence[Line]):
    """What ``make`` gives, which is called once. Raises what ``make`` raises.

    ``extents`` gives an extent for each line, without making the line.
    """

    def __init__(
        self, make: Callable[[], Iterable[Line]], extents: Callable[[], Iterable[LineExtent]]
    ) -> None:
        self._make = make
        self._find_extents = extents

    @cached_property
    def _made(self) -> tuple[Line, ...]:
        made = tuple(self._make())
        del self._make  # and what it holds
        return made

    @cached_property
    def extents(self) -> tuple[LineExtent, ...]:
        """The extents of the lines, in order."""
        return tuple(self._find_extents())

    def __len__(self) -> int:
        return len(self.extents)

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...

    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        return self._made[index]

    def __iter__(self) -> Iterator[Line]:
        return iter(self._made)
