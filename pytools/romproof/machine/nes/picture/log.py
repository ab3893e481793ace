"""What a program did with the PPU's registers, the cartridge's banks and sprite DMA, and when.

Nothing is drawn while the program runs: what it does is noted, and the beam (see beam.py) does it
again when somebody looks at pixels. A frame begins here with line 240, behind the last line that is
drawn, so that what is written in vertical blank belongs to the lines that follow. Two of them are
remembered, the complete one and the one that has begun; what is older is done without drawing.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields

CAPACITY = 4096
"""Entries that wait to be drawn; when there is no room for another one the beam is brought up."""
BLOCKS = 16
"""The same for copies of sprites by DMA."""

(CONTROL, MASK, STATUS, OAM_ADDRESS, OAM_DATA, SCROLL, ADDRESS, DATA, READ_DATA, BANK,
 DMA, RESET, MEMORY, SPRITES) = range(14)  # fmt: skip
"""Kinds of entries. The first eight are writes to registers, but for STATUS, which was read. The
last two are bytes that somebody else than the program has changed, on the PPU's bus and in OAM."""
KIND, PLACE = 48, 24
"""Where the kind and the place are in an entry, in bits; the value is below them."""
VALUE = (1 << PLACE) - 1

REGISTERS = 6
"""What is remembered of the registers at the begin of a frame: v, t, fine x and whether the second
write comes next; the buffer of $2007, the address of OAM; control and mask; whether it is odd."""


@fields(
    words={"when": CAPACITY, "what": CAPACITY, "registers": REGISTERS},
    blocks=BLOCKS * 0x100,
)
class PictureLog(Chip):
    """A ring of entries: ``first`` is the number of the next that the beam has not seen, ``count``
    that of the next to be noted, ``mark`` that of the first of the frame that has begun, which
    happened in dot ``begin`` with ``registers``."""

    when: MutableSequence[int]
    """The dot after which an entry takes effect, since the machine was switched on."""
    what: MutableSequence[int]
    registers: MutableSequence[int]
    blocks: MutableSequence[int]
    first: int
    count: int
    mark: int
    begin: int
    first_block: int
    block: int
    mark_block: int
    number: int
    """Frames that are complete."""

    def is_full(self, blocks: int) -> bool:
        """Whether there is no room for another entry."""
        return (
            self.count - self.first >= CAPACITY or self.block + blocks - self.first_block > BLOCKS
        )

    def note(self, kind: int, place: int, value: int, dot: int) -> None:
        """Remember an entry; there has to be room."""
        at = self.count & CAPACITY - 1
        self.when[at] = dot
        self.what[at] = kind << KIND | place << PLACE | value
        self.count += 1
