"""Marks of addresses that compiled code looks for, and takes away where it writes (see Probing)."""

from __future__ import annotations

from romproof.engine.llvm.running import buffer_address
from romproof.engine.space import SIZE


class Marks:
    """A byte for each address, 1 where there is a mark. ``given`` is what was put last."""

    def __init__(self) -> None:
        self._bytes = bytearray(SIZE)
        self.address = buffer_address(self._bytes)
        self.given = b""
        self._some = slice(0)
        self._those = bytearray()

    def put(self, marked: bytes) -> None:
        """Have these marks and no others. Compiled code takes marks away and puts none anywhere, so
        of the same ones as before only the part that has any is put back."""
        if marked is not self.given:
            self._some = slice(max(marked.find(1), 0), marked.rfind(1) + 1)
            self._those = bytearray(marked[self._some])
            self._bytes[:] = self.given = marked
        else:
            self._bytes[self._some] = self._those
