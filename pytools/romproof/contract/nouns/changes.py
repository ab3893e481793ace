"""What a contract assumes to change by itself: ports, and memory that interrupts write."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.contract.nouns.items import MemoryRange


@dataclass(frozen=True, slots=True)
class AssumedChange:
    """``memory`` that changes while a loop waits for it.

    Of a port (``is_port``) repeated reads bring every value. Memory that is no port is one byte
    that interrupts write: after finitely many of them a read of it brings another value than the
    first read of the loop, and nothing more is known of that value. ``handler`` is the handler of
    an interrupt that is said to write it, "" where the contract names none.
    """

    memory: MemoryRange
    is_port: bool
    handler: str = ""

    @property
    def name(self) -> str:
        """The memory as the contract writes it."""
        return self.memory.name

    def __str__(self) -> str:
        return f"{self.name} changes" + (f" by {self.handler}" if self.handler else "")
