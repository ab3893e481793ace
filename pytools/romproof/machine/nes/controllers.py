"""Two standard controllers, at $4016 and $4017."""

from __future__ import annotations

from collections.abc import MutableSequence

from romproof.engine.chips import Chip, fields
from romproof.machine.board import BoardError
from romproof.text.diagnostic import suggest

BUTTONS = ("a", "b", "select", "start", "up", "down", "left", "right")
"""In the order in which they are read."""
_OPEN = 0x40
"""The upper three bits are open bus: what the address left there."""
_PLAYERS = 2


@fields(words=dict.fromkeys(("_held", "_rest", "_last", "_value"), _PLAYERS))
class Controllers(Chip):
    """Shift registers: strobe takes over the buttons, each read brings the next one, then 1s."""

    _held: MutableSequence[int]
    _rest: MutableSequence[int]
    _last: MutableSequence[int]
    _value: MutableSequence[int]
    _strobe: bool

    def __init__(self) -> None:
        self._last[:] = [-2] * _PLAYERS

    def read(self, address: int, cycle: int) -> int:
        """The next button. Reads in consecutive cycles are one to a controller."""
        port = address & 1
        if cycle != self._last[port] + 1:
            self._value[port] = self.peek(address)
            if not self._strobe:
                self._rest[port] = self._rest[port] >> 1 | 0x80
        self._last[port] = cycle
        return self._value[port]

    def peek(self, address: int) -> int:
        """The next button, which stays the next one."""
        port = address & 1
        buttons = self._held[port] if self._strobe else self._rest[port]
        return _OPEN | buttons & 1

    def write(self, value: int) -> None:
        """$4016: bit 0 is the strobe."""
        if self._strobe or value & 1:
            for port in range(_PLAYERS):
                self._rest[port] = self._held[port]
        self._strobe = bool(value & 1)

    def press(self, button: str, player: int) -> None:
        """Hold a button down. Raises BoardError."""
        self._held[_port(player)] |= _bit(button)

    def release(self, button: str, player: int) -> None:
        """Let go of a button. Raises BoardError."""
        self._held[_port(player)] &= ~_bit(button)


def _port(player: int) -> int:
    if not 0 <= player < _PLAYERS:
        raise BoardError(f"no player {player}: an NES has two controllers, 0 and 1")
    return player


def _bit(button: str) -> int:
    if button not in BUTTONS:
        hint = suggest(button, BUTTONS)
        raise BoardError(
            f"no button '{button}'"
            + (f"; {hint}" if hint else "")
            + f"; there are: {', '.join(BUTTONS)}"
        )
    return 1 << BUTTONS.index(button)
