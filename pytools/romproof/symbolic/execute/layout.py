"""What memory is for symbolic execution: what never changes, and objects with unknown contents."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Object:
    """``size`` bytes from ``address`` with unknown contents, which may be reached with an index."""

    name: str
    address: int
    size: int

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size

    def byte_name(self, address: int) -> str:
        """The name of the byte at ``address``: as contracts write it."""
        return f"{self.name}[{address - self.address}]"


@dataclass(frozen=True)
class Layout:
    """The 64 KiB as a routine sees them.

    ``fixed`` has the bytes of the program, ``is_fixed`` a nonzero byte for each of the 65,536
    addresses where they stay as they are (code and read-only data). ``objects`` do not overlap.
    What is neither is memory the routine has no business with.
    """

    fixed: bytes
    is_fixed: bytes
    objects: tuple[Object, ...] = ()

    @cached_property
    def _ordered(self) -> list[Object]:
        return sorted(self.objects, key=lambda each: each.address)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.address for each in self._ordered]

    def object_at(self, address: int) -> Object | None:
        """The object that a byte belongs to, or None."""
        index = bisect_right(self._starts, address) - 1
        if index >= 0 and address < self._ordered[index].end:
            return self._ordered[index]
        return None

    def fixed_run(self, address: int) -> range:
        """The addresses around a fixed one that are fixed too, without a gap."""
        start = self.is_fixed.rfind(b"\0", 0, address) + 1
        end = self.is_fixed.find(b"\0", address)
        return range(start, end if end >= 0 else len(self.is_fixed))

    def byte_name(self, address: int) -> str:
        """What a byte of unknown contents is called."""
        found = self.object_at(address)
        return found.byte_name(address) if found else f"${address:04X}"
