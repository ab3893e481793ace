"""What test programs for the Game Boy say about the machine they ran on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from romproof.engine.registers import Sm83Registers
from romproof.machine.gameboy.machine import GameBoy

_FIBONACCI = (3, 5, 8, 13, 21, 34)
_FAILED = (0x42,) * 6

_STATUS, _SIGNATURE, _TEXT = 0xA000, 0xA001, 0xA004
_SIGNED = b"\xde\xb0\x61"
_RUNNING = 0x80
_TEXT_END = 0xC000

_MICRO_GOT, _MICRO_VERDICT = 0xFF80, 0xFF82
_MICRO_VERDICTS = (0x01, 0xFF)
"""Passed, failed."""

_MAP, _MAP_WIDTH = 0x9800, 32
_ROWS, _COLUMNS = 18, 20
"""Of the background's map, what is on the screen."""


@dataclass(frozen=True, slots=True)
class GameBoyVerdict:
    """Whether the test passed, and what it said."""

    passed: bool
    text: str = ""


def mooneye(registers: Sm83Registers) -> GameBoyVerdict | None:
    """The verdict of a test of mooneye-test-suite when it comes to ``ld b, b``: Fibonacci
    numbers in B, C, D, E, H and L, or $42 in all of them. None when it is neither."""
    r = registers
    values = (r.b, r.c, r.d, r.e, r.h, r.l)
    if values not in (_FIBONACCI, _FAILED):
        return None
    return GameBoyVerdict(values == _FIBONACCI)


def blargg_serial(sent: bytes) -> GameBoyVerdict | None:
    """The verdict of one of Shay Green's tests that prints to the serial port; None until it
    has printed ``Passed`` or ``Failed``."""
    text = sent.decode("ascii", "replace")
    if "Passed" not in text and "Failed" not in text:
        return None
    return GameBoyVerdict("Failed" not in text, text)


def blargg_memory(peek: Callable[[int], int]) -> GameBoyVerdict | None:
    """The verdict of one of Shay Green's tests that writes to cartridge RAM; None while there
    is none. ``peek`` gives the byte the CPU sees at an address.

    At $A000 is the result ($80 while it runs, 0 for passed), at $A001 a signature, at $A004 a
    text that ends with a 0.
    """
    signature = bytes(peek(_SIGNATURE + i) for i in range(len(_SIGNED)))
    status = peek(_STATUS)
    if signature != _SIGNED or status == _RUNNING:
        return None
    text = bytearray()
    for address in range(_TEXT, _TEXT_END):
        byte = peek(address)
        if byte == 0:
            break
        text.append(byte)
    return GameBoyVerdict(status == 0, text.decode("ascii", "replace"))


def blargg_screen(peek: Callable[[int], int]) -> GameBoyVerdict | None:
    """The verdict of one of Shay Green's tests that prints to the screen only; None until it
    has printed ``Passed`` or ``Failed``. His characters have their ASCII codes as numbers."""
    rows = [
        bytes(peek(_MAP + _MAP_WIDTH * row + column) for column in range(_COLUMNS))
        for row in range(_ROWS)
    ]
    text = "\n".join(row.decode("ascii", "replace").rstrip() for row in rows).strip()
    return blargg_serial(text.encode("ascii", "replace"))


def run_age(game: GameBoy, limit: int) -> GameBoyVerdict | None:
    """The same for one of age-test-roms: at ``ld b, b`` are Fibonacci numbers, or others."""
    if not game.run_to_breakpoint(limit):
        return None
    return mooneye(game.registers) or GameBoyVerdict(False)


def run_microtest(game: GameBoy, limit: int) -> GameBoyVerdict | None:
    """The same for one of gbmicrotest, which puts what it got, what it wanted and a verdict at
    $FF80 to $FF82."""

    def verdict() -> GameBoyVerdict | None:
        if game.peek(_MICRO_VERDICT) not in _MICRO_VERDICTS:
            return None
        got, wanted = game.peek(_MICRO_GOT), game.peek(_MICRO_GOT + 1)
        passed = game.peek(_MICRO_VERDICT) == _MICRO_VERDICTS[0]
        return GameBoyVerdict(passed, "" if passed else f"${got:02X}, wanted ${wanted:02X}")

    game.run_until(lambda _: verdict() is not None, limit)
    return verdict()


def run_mooneye(game: GameBoy, limit: int) -> GameBoyVerdict | None:
    """Run a test of mooneye-test-suite for at most ``limit`` M-cycles; None when it did not
    end."""
    while game.cycles < limit and game.run_to_breakpoint(limit - game.cycles):
        verdict = mooneye(game.registers)
        if verdict is not None:
            return verdict
    return None


def run_blargg(game: GameBoy, limit: int) -> GameBoyVerdict | None:
    """The same for one of Shay Green's tests, wherever it says how it went."""

    def verdict() -> GameBoyVerdict | None:
        text = blargg_serial(game.serial) or blargg_memory(game.peek)
        return text or blargg_screen(game.peek)

    game.run_until(lambda _: verdict() is not None, limit)
    return verdict()
