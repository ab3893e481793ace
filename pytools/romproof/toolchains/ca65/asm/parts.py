"""What statements are given of the assembler; topics with further needs name them."""

from __future__ import annotations

from typing import Protocol

from romproof.toolchains.ca65.asm.expressions import Expressions
from romproof.toolchains.ca65.asm.feed import Feed
from romproof.toolchains.ca65.asm.segments import Segments


class Statement(Protocol):
    """The tokens of a statement, with messages about them, and the values it is given."""

    feed: Feed
    expressions: Expressions


class Emitting(Statement, Protocol):
    """A statement that puts bytes somewhere."""

    segments: Segments
