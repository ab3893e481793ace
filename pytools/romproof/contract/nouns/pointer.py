"""The noun of ``pointer:``, which is read in romproof.contract.reading.pointers."""

from __future__ import annotations

from dataclasses import dataclass

from romproof.contract.nouns.expr import Expression
from romproof.text.span import Span


@dataclass(frozen=True, slots=True)
class Pointer:
    """The block ``name``: ``count`` bytes, ``most`` at most, from the address ``base`` on.

    Both are numbers of the entry: ``base`` a register pair or a word of memory. ``fields`` are
    those that list the block: "in", "out", "clobbers", "secret".
    """

    name: str
    base: Expression
    count: Expression
    most: int
    fields: frozenset[str]
    span: Span

    @property
    def is_read(self) -> bool:
        """Whether its bytes are inputs."""
        return "in" in self.fields

    @property
    def is_written(self) -> bool:
        """Whether its bytes may change."""
        return not self.fields.isdisjoint(("out", "clobbers"))
