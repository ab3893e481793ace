"""What is known of the last calls, for whoever has to tell of a failure later."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from romproof.harness.errors import CallRecord

MAX_READS = 64
"""What a test read is remembered of the last so many times."""


@dataclass(frozen=True, slots=True)
class NotedRead:
    """Memory that a test read after the call in ``record``: ``value`` is what it got, bytes or the
    number of one byte."""

    record: CallRecord
    address: int
    value: bytes | int

    @property
    def data(self) -> bytes:
        """The value as bytes."""
        return bytes([self.value]) if isinstance(self.value, int) else self.value


@dataclass(slots=True)
class Journal:
    """The last call on a Rom or on one of its machines, which share it; None: there is none, or
    it was forgotten. ``reads`` is what a test has read of memory lately."""

    last: CallRecord | None = None
    reads: deque[NotedRead] = field(default_factory=lambda: deque(maxlen=MAX_READS))

    def note(self, record: CallRecord | None, address: int, value: bytes | int) -> None:
        """Remember a read of what the call in ``record`` left behind; None: nothing was called."""
        if record is not None:
            self.reads.append(NotedRead(record, address, value))

    def forget(self) -> None:
        """Forget all."""
        self.last = None
        self.reads.clear()
