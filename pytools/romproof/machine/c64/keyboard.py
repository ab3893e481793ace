"""The keyboard's matrix and the joysticks, at the ports of CIA 1."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from romproof.machine.board import BoardError
from romproof.text.diagnostic import suggest

_COLUMNS = (
    "delete return right-arrow f7 f1 f3 f5 down-arrow",
    "3 w a 4 z s e left-shift",
    "5 r d 6 c f t x",
    "7 y g 8 b h u v",
    "9 i j 0 m k o n",
    "+ p l - . : @ ,",
    "pound * ; home right-shift = up-arrow /",
    "1 left-arrow control 2 space commodore q stop",
)
"""By the bit of port A that chooses a column, the keys by their bits of port B (Commodore 64
Programmer's Reference Guide, appendix I; ``left-arrow`` and ``up-arrow`` are characters,
``right-arrow`` and ``down-arrow`` move the cursor)."""
KEYS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        key: (column, row)
        for column, keys in enumerate(_COLUMNS)
        for row, key in enumerate(keys.split())
    }
)
"""The bits of port A and of port B of each key."""
STICK: Mapping[str, int] = MappingProxyType({"up": 1, "down": 2, "left": 4, "right": 8, "fire": 16})
"""The bits of a joystick's directions and of its button, 0 while pressed."""
RESTORE = "restore"
BUTTONS = (*STICK, *KEYS, RESTORE)
PLAYERS = 2


class Keyboard:
    """Keys connect a pin of port A with one of port B. The joystick of player 0 is at control
    port 2 (port A, $DC00), where most games for one player want it, that of player 1 at 1."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self._sticks = [0] * PLAYERS

    def press(self, button: str, player: int) -> None:
        """Hold down a key or a direction. Raises BoardError."""
        check_button(button, player)
        if button in STICK:
            self._sticks[player] |= STICK[button]
        elif button in KEYS:
            self.keys.add(button)

    def release(self, button: str, player: int) -> None:
        """Let go of it. Raises BoardError."""
        check_button(button, player)
        if button in STICK:
            self._sticks[player] &= ~STICK[button]
        else:
            self.keys.discard(button)

    def pins(self, a: int, b: int) -> tuple[int, int]:
        """See Ports: a pin that something pulls down is 0 at the other end of a key too."""
        a &= ~self._sticks[0]
        b &= ~self._sticks[1]
        a_low, b_low = a, b
        for key in self.keys:
            column, row = KEYS[key]
            if not a >> column & 1:
                b_low &= ~(1 << row)
            if not b >> row & 1:
                a_low &= ~(1 << column)
        return a_low & 0xFF, b_low & 0xFF


def check_button(button: str, player: int) -> None:
    """Raises BoardError for a button that a C64 does not have, and for a third player."""
    if button not in BUTTONS:
        hint = suggest(button, BUTTONS)
        raise BoardError(
            f"no button '{button}'"
            + (f"; {hint}" if hint else "")
            + f"; there are {', '.join(STICK)} of a joystick and the keys "
            + ", ".join((*KEYS, RESTORE))
        )
    if not 0 <= player < PLAYERS:
        raise BoardError(f"player={player}: a C64 has joysticks for the players 0 and 1")
