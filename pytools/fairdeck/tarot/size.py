"""How much ROM and RAM the library takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.targets import Target
from fairdeck.tarot.variants import Variant
from romproof import Image

FILES = ("state", "next_byte", "flip", "draw", "swap", "deck_init", "shuffle")
"""The files of the library that a program needs for all routines; ``lfsr_small`` is one more way
to make the generator's next byte."""


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes of ``code`` and ``tables`` in ROM, and of ``memory``: the deck and all variables."""

    code: int
    tables: int
    memory: int

    @property
    def rom(self) -> int:
        """Code and tables."""
        return self.code + self.tables


def size_of(target: Target, feedback: Feedback, reduction: Reduction, variant: Variant) -> Size:
    """What all routines take together. Raises BuildFailed, DataMissing."""
    image = tarot_library(target, feedback, reduction, variant).image
    memory = sum(
        part.size
        for segment in image.segments
        if segment.file is None
        for part in segment.parts
        if PurePath(part.module).stem in FILES
    )
    return Size(*sizes(image, FILES), memory)


def sizes(image: Image, files: tuple[str, ...]) -> tuple[int, int]:
    """Bytes of code and of tables in ROM that come from some of the library's files."""
    parts = [
        part
        for segment in image.segments
        if segment.file is not None
        for part in segment.parts
        if PurePath(part.module).stem in files
    ]
    total = sum(part.size for part in parts)
    code = sum(
        line.size
        for line in image.lines
        if line.is_code
        and any(part.address <= line.address < part.address + part.size for part in parts)
    )
    return code, total - code
