"""What is asked of devices, and of those who watch."""

from __future__ import annotations

from typing import Protocol


class Device(Protocol):
    """Something at some addresses that is not memory.

    ``cycle`` is the number of cycles that passed before the access. Dummy accesses count as
    accesses, as on the machine. The engine must not be run from here.
    """

    def read(self, address: int, cycle: int) -> int:
        """The byte (0..255) the device puts on the bus."""

    def write(self, address: int, value: int, cycle: int) -> None:
        """Take a byte from the bus."""


class Steady(Protocol):
    """A device that says for how long it brings the same."""

    def steady_until(self, address: int, value: int, cycle: int, mask: int) -> int:
        """The cycle before which reads of an address bring those bits of ``value`` again that
        ``mask`` has, which was read in ``cycle``, and change nothing that the last one of them
        would not change; ``cycle`` when that is not so. No device is asked for anything else in
        between."""


class Clocked(Protocol):
    """Something that acts by itself when its time has come."""

    def due(self) -> int:
        """The cycle of its next event; NEVER when there is none."""

    def advance(self, cycle: int) -> None:
        """``cycle`` cycles have passed; afterwards ``due()`` is later than that."""


class Watcher(Protocol):
    """Is called for accesses to addresses with a bit of ON_READ or ON_WRITE, but not of dummy ones.

    ``cycle`` is as for a Device; ``value`` is what was read or written.
    """

    def on_uninitialised(self, address: int, value: int, cycle: int) -> None:
        """A read where the bit UNINITIALISED was set. It is cleared: this comes once."""

    def forbids(self, address: int, value: int, cycle: int, dummy: bool) -> bool:
        """Whether a write is to be passed over; asked for dummy writes too."""

    def on_access(self, address: int, value: int, cycle: int, is_write: bool) -> None:
        """An access where the bit READ_CALL or WRITE_CALL is set has happened."""


def let_writes_pass(space: object, first: int, last: int, until: int) -> None:
    """Writes to an address space from ``first`` to ``last`` change memory and nothing else before
    cycle ``until``, unless another device is accessed, or does something, in the meantime.

    To be called by a chip while it is written to, if that has done nothing else either: what
    devices have answered before still holds. Compiled code does not ask the chip then; others do,
    and are told the same.
    """
