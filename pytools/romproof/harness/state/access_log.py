"""Accesses to chosen places, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write of the byte ``value`` at ``address``, which ``name`` was watched for.

    ``cycle`` cycles had passed on the machine before it; ``routine`` is where the instruction
    stands: a label, or an address where none is known.
    """

    name: str
    address: int
    value: int
    cycle: int
    routine: str
    is_write: bool


@dataclass(slots=True)
class AccessLog:
    """What ``Machine.watch`` writes down from then on, dummy accesses left out.

    ``reads`` and ``writes`` are pairs of name and value; iteration gives every Access.
    """

    accesses: list[Access] = field(default_factory=list)

    @property
    def reads(self) -> list[tuple[str, int]]:
        """Name and value of each read."""
        return [(a.name, a.value) for a in self.accesses if not a.is_write]

    @property
    def writes(self) -> list[tuple[str, int]]:
        """Name and value of each write."""
        return [(a.name, a.value) for a in self.accesses if a.is_write]

    def clear(self) -> None:
        """Forget what was written down."""
        self.accesses.clear()

    def __iter__(self) -> Iterator[Access]:
        return iter(self.accesses)

    def __len__(self) -> int:
        return len(self.accesses)
