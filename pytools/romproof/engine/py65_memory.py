"""Memory as py65's processor sees it: two kinds of objects with ``[]``."""

from __future__ import annotations

from typing import Any

from romproof.engine.faults import rom_write
from romproof.engine.space import ON_READ, ON_WRITE, AddressSpace


class ProtectedMemory(bytearray):
    """64 KiB of which parts can be protected: writing there raises CpuFault.

    ``protected`` has one byte for each address, nonzero where writes are
    faults; None switches the check off.
    """

    protected: bytes | None = None

    def __setitem__(self, key: Any, value: Any, _store: Any = bytearray.__setitem__) -> None:
        protected = self.protected
        if protected is not None and protected[key]:
            raise rom_write(key, value)
        _store(self, key, value)


class CheckedBus:
    """An address space with banks or devices: slower, as each access is checked.

    ``cycle`` is the time that devices get: the cycles before the instruction, as py65 does not
    know when within it an access comes. ``protected`` is as in Memory.
    """

    def __init__(self, space: AddressSpace) -> None:
        self.cycle = 0
        self.protected: bytes | None = None
        self._space = space

    def __getitem__(self, address: int) -> int:
        space = self._space
        if space.actions[address] & ON_READ:
            return space.read_call(address, self.cycle, dummy=False)
        return space.peek(address)

    def __setitem__(self, address: int, value: int) -> None:
        space, protected = self._space, self.protected
        if protected is not None and protected[address]:
            raise rom_write(address, value)
        if not space.actions[address] & ON_WRITE:
            space.store[space.write_pages[address >> 8] + (address & 0xFF)] = value
        elif not space.write_call(address, value, self.cycle):
            raise rom_write(address, value)
