"""FME-7 and 5B (mapper 69): banks of 8 KiB, also at $6000, and a counter of cycles.

Source: nesdev, "Sunsoft FME-7". The sound of 5B is not there.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import fields
from romproof.engine.space import NEVER
from romproof.formats.ines import Ines
from romproof.machine.nes.lines import MAPPER
from romproof.machine.nes.mappers import KIB, NO_RAM, RAM_WRITTEN, Mapper

_LOW, _MIRRORING, _CONTROL, _COUNTER_LOW, _COUNTER_HIGH = 8, 12, 13, 14, 15
"""Commands; 0 to 7 are 1 KiB of graphics each, 9 to 11 the program from $8000 on."""
_IS_RAM, _IS_ENABLED = 0x40, 0x80
"""Bits of the bank at $6000: RAM, and RAM that answers."""
_ASKS, _COUNTS = 0x01, 0x80
_TURNS = 0x10000


@fields(words={"_values": 12})
class Fme7(Mapper):
    """Three windows of 8 KiB from $8000 on, the last bank behind them; ROM or RAM at $6000.

    The counter goes down in each cycle; when it goes from 0 to $FFFF an IRQ is asked for, until
    the control register is written.
    """

    window = 0x2000
    registers = (0x8000, 0x10000)
    fixed = False
    switches_graphics = True
    most_prg = 512 * KIB
    most_chr = 256 * KIB
    has_irq = True

    _choice: int
    _values: MutableSequence[int]
    """By command, up to the banks of program."""
    _mirroring: int
    _control: int
    _counter: int
    _at: int
    """The cycle at which the counter had this value."""

    def __init__(self, header: Ines) -> None:
        super().__init__(header)
        self._values[:8] = range(8)
        self._mirroring = 0 if header.mirroring == "vertical" else 1

    def write(self, address: int, value: int, cycle: int) -> bool:
        """See Mapper."""
        if address < 0xA000:
            self._choice = value & 0x0F
            return False
        if address >= 0xC000:
            return False  # sound
        choice = self._choice
        if choice < _MIRRORING:
            self._values[choice] = value
            return True
        if choice == _MIRRORING:
            self._mirroring = value & 3
            return True
        self._count(cycle)
        if choice == _CONTROL:
            self._control = value
            if self.line is not None:
                self.line.release(MAPPER)
        elif choice == _COUNTER_LOW:
            self._counter = self._counter & 0xFF00 | value
        else:
            self._counter = self._counter & 0x00FF | value << 8
        return False

    def prg(self, window: int) -> int:
        """See Mapper."""
        return self.banks - 1 if window == 3 else self._values[9 + window] & 0x3F

    def low(self) -> int:
        """See Mapper."""
        value = self._values[_LOW]
        return -1 if value & _IS_RAM else value & 0x3F

    def ram_bank(self) -> int:
        """See Mapper."""
        return self._values[_LOW] & 0x3F

    def ram(self) -> int:
        """See Mapper."""
        return RAM_WRITTEN if self._values[_LOW] & _IS_ENABLED else NO_RAM

    def pattern(self, place: int) -> int:
        """See Mapper."""
        return self._values[place]

    def nametable(self, place: int) -> int:
        """See Mapper."""
        if self._mirroring < 2:
            return place >> 1 if self._mirroring else place & 1
        return self._mirroring & 1

    def select(self, window: int, bank: int) -> None:
        """See Mapper."""
        if window < 3:
            self._values[9 + window] = bank

    def due(self) -> int:
        """Clocked: when an IRQ is asked for."""
        if self._control & (_ASKS | _COUNTS) != _ASKS | _COUNTS:
            return NEVER
        return self._at + self._counter + 1

    def advance(self, cycle: int) -> None:
        """Clocked."""
        due = self.due()
        if due <= cycle:
            self._count(due)
            if self.line is not None:
                self.line.hold(MAPPER, due)
        self._count(cycle)

    def _count(self, cycle: int) -> None:
        """Bring the counter up to a cycle."""
        if self._control & _COUNTS:
            self._counter = (self._counter - (cycle - self._at)) % _TURNS
        self._at = cycle
