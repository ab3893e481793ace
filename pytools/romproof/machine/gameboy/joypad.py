"""The buttons: P1 at $FF00."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from romproof.engine.chips import Chip, fields
from romproof.engine.space import Signals
from romproof.machine.gameboy.interrupts import Interrupt
from romproof.machine.gameboy.sgb import PacketReader
from romproof.text.diagnostic import suggest
from romproof.text.errors import RomproofError

P1 = 0xFF00
_DIRECTIONS, _ACTIONS = 0x10, 0x20
"""The bits of P1 that choose a group of buttons, by being 0."""
_UNUSED = 0xC0
NONE_PRESSED = 0x0F
"""The four lines when no button pulls one down."""

BUTTONS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "right": (_DIRECTIONS, 1),
        "left": (_DIRECTIONS, 2),
        "up": (_DIRECTIONS, 4),
        "down": (_DIRECTIONS, 8),
        "a": (_ACTIONS, 1),
        "b": (_ACTIONS, 2),
        "select": (_ACTIONS, 4),
        "start": (_ACTIONS, 8),
    }
)
"""The group of each button and its bit in P1, which is 0 while it is pressed."""


class NoSuchButton(RomproofError):
    """A Game Boy has no button of that name."""


@fields()
class Joypad(Chip):
    """Eight buttons on four lines. The interrupt comes when a line falls."""

    _chosen: int
    _directions: int
    """The lines of the directions that are pressed, and of the other group."""
    _actions: int

    def __init__(
        self, signals: Signals, packets: PacketReader | None = None, chosen: int = 0
    ) -> None:
        self._signals, self._packets = signals, packets or PacketReader()
        self._chosen = chosen

    @property
    def lines(self) -> int:
        """The lower four bits of P1."""
        low = 0
        if not self._chosen & _DIRECTIONS:
            low |= self._directions
        if not self._chosen & _ACTIONS:
            low |= self._actions
        return NONE_PRESSED & ~low

    def press(self, button: str) -> None:
        """Hold a button down. Raises NoSuchButton."""
        before = self.lines
        group, bit = _find(button)
        if group == _DIRECTIONS:
            self._directions |= bit
        else:
            self._actions |= bit
        self._request(before)

    def release(self, button: str) -> None:
        """Let go of a button. Raises NoSuchButton."""
        group, bit = _find(button)
        if group == _DIRECTIONS:
            self._directions &= ~bit
        else:
            self._actions &= ~bit

    def read(self, address: int, cycle: int) -> int:
        """Device."""
        return _UNUSED | self._chosen | self.lines

    def write(self, address: int, value: int, cycle: int) -> None:
        """Device: choose groups of buttons."""
        before = self.lines
        self._chosen = value & (_DIRECTIONS | _ACTIONS)
        self._packets.see(self._chosen, cycle)
        self._request(before)

    def _request(self, before: int) -> None:
        if before & ~self.lines:
            self._signals.requested |= Interrupt.JOYPAD


def _find(button: str) -> tuple[int, int]:
    button_bit = BUTTONS.get(button)
    if button_bit is None:
        hint = suggest(button, BUTTONS)
        raise NoSuchButton(
            f"no button '{button}'"
            + (f"; {hint}" if hint else "")
            + f"; there are: {', '.join(BUTTONS)}"
        )
    return button_bit
