"""The KERNAL's keyboard buffer, and how keys that are held down come into it."""

from __future__ import annotations

from collections.abc import Collection

from romproof.machine.c64 import petscii
from romproof.machine.c64.keyboard import KEYS

COUNT, BUFFER, SIZE = 0xC6, 0x0277, 10
_LAST, _CURRENT, _SHIFTS, _MAX = 0xC5, 0xCB, 0x028D, 0x0289
_NO_KEY = 64
_SHIFT = ("left-shift", "right-shift")
_MODIFIERS = {**dict.fromkeys(_SHIFT, 1), "commodore": 2, "control": 4}
"""Their bits in $028D."""
_CODES = {
    "return": (petscii.RETURN, petscii.SHIFTED_RETURN),
    "delete": (petscii.DELETE, 0x94),
    "home": (petscii.HOME, petscii.CLEAR),
    "space": (petscii.SPACE, 0xA0),
    "right-arrow": (petscii.RIGHT, petscii.LEFT),
    "down-arrow": (petscii.DOWN, petscii.UP),
    "f1": (0x85, 0x89), "f3": (0x86, 0x8A), "f5": (0x87, 0x8B), "f7": (0x88, 0x8C),
    "pound": (0x5C, 0xA9), "up-arrow": (0x5E, 0xDE), "left-arrow": (0x5F, 0x5F),
    "stop": (0x03, 0x83),
    "+": (0x2B, 0xDB), "-": (0x2D, 0xDD), "@": (0x40, 0xBA), "*": (0x2A, 0xC0),
    ":": (0x3A, 0x5B), ";": (0x3B, 0x5D), "=": (0x3D, 0x3D), ",": (0x2C, 0x3C),
    ".": (0x2E, 0x3E), "/": (0x2F, 0x3F), "0": (0x30, 0x30),
}  # fmt: skip
"""PETSCII alone and with SHIFT; of 1 to 9 and letters there is a rule."""


class Scanner:
    """The buffer at $0277 with its length in $C6, and the key that is down in $CB and $C5."""

    def __init__(self, ram: bytearray) -> None:
        self._ram = ram

    def prepare(self) -> None:
        """No key is down, and the buffer is empty."""
        ram = self._ram
        ram[COUNT], ram[_SHIFTS], ram[_MAX] = 0, 0, SIZE
        ram[_LAST] = ram[_CURRENT] = _NO_KEY

    def append(self, code: int) -> bool:
        """Put a character into the buffer; False when it is full."""
        count = self._ram[COUNT]
        if count >= min(self._ram[_MAX], SIZE):
            return False
        self._ram[BUFFER + count] = code
        self._ram[COUNT] = count + 1
        return True

    def pop_character(self) -> int:
        """The first character of the buffer; 0 when it is empty."""
        ram = self._ram
        count = min(ram[COUNT], SIZE)
        if not count:
            return 0
        code = ram[BUFFER]
        ram[BUFFER : BUFFER + count - 1] = ram[BUFFER + 1 : BUFFER + count]
        ram[COUNT] = count - 1
        return code

    def scan(self, keys: Collection[str]) -> None:
        """SCNKEY: a key that was not down the last time comes into the buffer."""
        ram = self._ram
        ram[_SHIFTS] = sum({bit for key, bit in _MODIFIERS.items() if key in keys})
        down = [8 * KEYS[key][0] + KEYS[key][1] for key in keys if key not in _MODIFIERS]
        number = min(down, default=_NO_KEY)
        ram[_CURRENT] = number
        if number not in (_NO_KEY, ram[_LAST]):
            key = next(key for key in keys if KEYS[key] == divmod(number, 8))
            self.append(code_of(key, shifted=bool(ram[_SHIFTS] & 1)))
        ram[_LAST] = number


def code_of(key: str, shifted: bool) -> int:
    """The PETSCII of a key."""
    if key in _CODES:
        return _CODES[key][shifted]
    code = ord(key.upper())
    if key.isdigit():
        return code - 0x10 if shifted else code
    return code + 0x80 if shifted else code
