"""What stands at volatile addresses while code is executed: every read brings something else."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

SPANS = (1, 5, 1, 700)
"""For how many reads a port stays as it is: some code waits for ports to be quiet."""


@dataclass
class PortStream:
    """A device whose read number i of an address brings a byte that depends on ``seed``,
    the address and i alone; what is written there is gone. By the seed it brings something else
    each time, or stays as it is for a while, at times with all bits clear or set."""

    seed: int
    swapped: frozenset[int] = frozenset()
    """Addresses that bring something else than they do for the same seed without this."""
    reads: dict[int, int] = field(default_factory=dict)
    stays: dict[int, int] = field(default_factory=dict)
    """What each address brings until its next span begins."""

    def read(self, address: int, cycle: int) -> int:
        """See Device."""
        number = self.reads.get(address, 0)
        self.reads[address] = number + 1
        span = SPANS[self.seed % len(SPANS)]
        if not number % span:
            kind = "other" if address in self.swapped else ""
            text = f"{self.seed} {address} {number // span} {kind}".rstrip().encode()
            value, drawn = blake2b(text, digest_size=2).digest()
            if span > 1 and drawn % 4 > 1:
                value = 0xFF if drawn % 4 == 2 else 0
            self.stays[address] = value
        return self.stays[address]

    def write(self, address: int, value: int, cycle: int) -> None:
        """See Device."""
