"""What memory is for symbolic execution: what never changes, objects with unknown contents, and
the stack of the routine, wherever that lies."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.node import SUM
from romproof.symbolic.terms.origin import LocationKind, VariableName, array_name
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """``size`` bytes from ``address`` with unknown contents, which may be reached with an index.

    ``name`` is for people: two objects are the same if they lie at the same place.
    """

    name: str = field(compare=False)
    address: int
    size: int

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size

    @property
    def key(self) -> VariableName:
        """The name of its array among the variables: no register and no other object has it."""
        return array_name(self.address, self.size)

    @property
    def cells(self) -> range:
        """Its addresses."""
        return range(self.address, self.end)


def object_of(name: VariableName) -> MemoryObject | None:
    """The object whose array a variable speaks of; None of others."""
    location = name.location
    if location.kind is not LocationKind.ARRAY or location.address is None:
        return None
    return MemoryObject(location.text, location.address, location.size)


def cells_of(array: VariableName) -> range:
    """The addresses of the object whose array a variable is."""
    which = object_of(array)
    assert which is not None, "an array is that of an object"
    return which.cells


@dataclass(frozen=True)
class StackFrame:
    """The stack of a routine.

    ``pointer`` is the variable for the stack pointer at the entry, when the return address has
    been pushed; ``base`` the address of the lower byte of that, 16 bits. ``pushed`` is the
    variable for the return address as it is pushed, and ``target`` where the routine returns to:
    the place ``end`` stands for it. Below ``base`` there is ``room`` for so many bytes.
    """

    pointer: Term
    base: Term
    pushed: Term
    target: Term
    end: int
    room: int

    def offset(self, address: Term) -> int | None:
        """How far an address is from ``base``, below it negative; None where that is not known."""
        return _to_signed(t.sub(address, self.base))

    def depth(self, pointer: Term) -> int | None:
        """The same of a stack pointer and that at the entry."""
        return _to_signed(t.sub(pointer, self.pointer))


def _to_signed(difference: Term) -> int | None:
    if not difference.is_const:
        return None
    half = 1 << difference.width - 1
    return difference.number - 2 * half if difference.number >= half else difference.number


@dataclass(frozen=True)
class MemoryLayout:
    """The 64 KiB as a routine sees them.

    ``fixed`` has the bytes of the program, ``is_fixed`` a nonzero byte for each of the 65,536
    addresses where they stay as they are (code and read-only data). ``objects`` do not overlap.
    Of the objects ``marked`` is noted where they were written.
    Each read of ``volatile`` addresses brings a new value; ``is_fixed`` is 0 there. ``frame`` is
    the stack; without one the stack pointer is a number, and the stack is memory like any other.
    What is none of these is memory the routine has no business with.
    """

    fixed: bytes
    is_fixed: bytes
    objects: tuple[MemoryObject, ...] = ()
    volatile: frozenset[int] = frozenset()
    frame: StackFrame | None = None
    marked: frozenset[MemoryObject] = frozenset()

    @cached_property
    def _ordered(self) -> list[MemoryObject]:
        return sorted(self.objects, key=lambda each: each.address)

    @cached_property
    def _starts(self) -> list[int]:
        return [each.address for each in self._ordered]

    def object_at(self, address: int) -> MemoryObject | None:
        """The object that a byte belongs to, or None."""
        index = bisect_right(self._starts, address) - 1
        if index >= 0 and address < self._ordered[index].end:
            return self._ordered[index]
        return None

    def fixed_byte(self, address: Term, within: range) -> Term:
        """The byte at an address that is one of some fixed ones."""
        low = max(address.low, within.start)
        high = min(address.high, within.stop - 1)
        base = address.number if address.op is SUM else 0
        if within.start <= base <= low:
            low = base  # the index alone, without an addition
        return t.lookup(self.fixed[low : high + 1], t.sub(address, t.const(low, 16)))

    def fixed_run(self, address: int) -> range:
        """The addresses around a fixed one that are fixed too, without a gap."""
        start = self.is_fixed.rfind(b"\0", 0, address) + 1
        end = self.is_fixed.find(b"\0", address)
        return range(start, end if end >= 0 else len(self.is_fixed))
