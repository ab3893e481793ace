"""The rule for blocks behind pointers: memory whose place is a term.

A block is ``size`` bytes from the address ``base`` on, both terms of the entry. An object stands
for it, at addresses where the routine has no business: byte number n of the block is byte number n
of the object. An address belongs to the block if ``address - base``, modulo 65,536, is below
``size``; then it is the object that is read or written, and at no other address is it ever.

That is sound if no byte of the block is anywhere else in a state: if no block that is written has
a byte in common with an object, another block, constants, ports or the stack that is used, and
none goes beyond $FFFF. Of a block that is only read it is enough if nothing that is written has a
byte in common with it: then the bytes that it shares are the same all the time, and what is proved
of a block with any contents holds of one with these. The prover shows that from what is required
(romproof.prover.conditions.separation), and proves nothing else where it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from romproof.symbolic.execute.layout import MemoryObject
from romproof.symbolic.terms import term as t
from romproof.symbolic.terms.term import Term


@dataclass(frozen=True, eq=False)
class PointerBlock:
    """``size`` bytes from ``base`` on, for which the object ``which`` stands."""

    which: MemoryObject
    base: Term
    size: Term
    is_read: bool
    is_written: bool

    def offset(self, address: Term) -> Term:
        """How far an address lies behind the beginning."""
        return t.sub(address, self.base)

    def covers(self, address: Term) -> Term:
        """One bit: is an address within the block?"""
        return t.ult(self.offset(address), self.size)

    def must_cover(self, address: Term) -> bool:
        """Whether that is plain."""
        return self.offset(address).high < self.size.low

    def place(self, address: Term) -> Term:
        """The address of the same byte in the object."""
        return t.add(self.offset(address), t.const(self.which.address, 16))
