"""What test programs for the NES say about the machine they ran on.

Shay Green's (blargg's) later ones write to RAM of the cartridge at $6000, the earlier ones to the
screen only, whose characters have their ASCII codes as numbers; the earliest show no more than a
code there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from romproof.machine.nes.machine import Nes

_STATUS, _SIGNATURE, _TEXT = 0x6000, 0x6001, 0x6004
_SIGNED = b"\xde\xb0\x61"
_RUNNING, _RESET = 0x80, 0x81
_TEXT_END = 0x8000
_COLUMNS, _ROWS = 32, 30
_PASSED, _CODE = "$01", re.compile(r"\$[0-9A-F]{2}")
_GOOD = re.compile(r"\b(passed|all tests complete)\b", re.IGNORECASE)
_BAD = re.compile(r"\b(failed|fail)\b", re.IGNORECASE)
_CHUNK = 200_000
"""Cycles between two looks."""
_QUIET = 5_000_000
"""Cycles in which a text on the screen must stay as it is."""
_BUTTON = 300_000
"""Cycles until a reset that was asked for: more than 100 ms."""


@dataclass(frozen=True, slots=True)
class NesVerdict:
    """Whether the test passed, and what it said."""

    passed: bool
    text: str = ""


def in_memory(peek: Callable[[int], int]) -> NesVerdict | None:
    """The verdict at $6000: a status ($80 while it runs, $81 when it waits for the reset button,
    0 for passed), behind it a signature, at $6004 a text that ends with a 0. None while there is
    none. ``peek`` gives the byte the CPU sees at an address."""
    if not _has_signature(peek) or (status := peek(_STATUS)) in (_RUNNING, _RESET):
        return None
    text = bytearray()
    for address in range(_TEXT, _TEXT_END):
        byte = peek(address)
        if byte == 0:
            break
        text.append(byte)
    return NesVerdict(status == 0, text.decode("ascii", "replace"))


def on_screen(nametable: bytes) -> NesVerdict | None:
    """The verdict in the text of a nametable; None until there is one."""
    rows = (nametable[_COLUMNS * row : _COLUMNS * (row + 1)] for row in range(_ROWS))
    lines = ("".join(chr(b) if 32 <= b < 127 else " " for b in row).strip() for row in rows)
    text = "\n".join(line for line in lines if line)
    if _BAD.search(text):
        return NesVerdict(False, text)
    if _GOOD.search(text):
        return NesVerdict(True, text)
    return NesVerdict(text == _PASSED, text) if _CODE.fullmatch(text) else None


def run_test(machine: Nes, limit: int) -> NesVerdict | None:
    """Run a test to its verdict, for at most ``limit`` cycles; None when there was none.

    When it asks for it, the reset button is pressed. What is on the screen counts once the
    program goes round and round in one instruction, or when nothing was added for a while.
    """
    before: NesVerdict | None = None
    looked = 0
    while machine.cycles < limit:
        machine.run((), _CHUNK)
        verdict = in_memory(machine.peek)
        if verdict is not None:
            return verdict
        if _has_signature(machine.peek):
            if machine.peek(_STATUS) == _RESET:
                machine.run((), _BUTTON)
                machine.reset()
        elif _is_over(machine):
            return on_screen(machine.ppu.memory.nametable(0))
        elif machine.cycles - looked >= _QUIET:
            verdict, looked = on_screen(machine.ppu.memory.nametable(0)), machine.cycles
            if verdict is not None and verdict == before:
                return verdict
            before = verdict
    return on_screen(machine.ppu.memory.nametable(0))


def _has_signature(peek: Callable[[int], int]) -> bool:
    return bytes(peek(_SIGNATURE + i) for i in range(len(_SIGNED))) == _SIGNED


def _is_over(machine: Nes) -> bool:
    """Whether the next instruction jumps to itself, and nothing can end that."""
    pc = machine.registers.pc
    code = bytes(machine.peek(pc + i & 0xFFFF) for i in range(3))
    jumps = code == bytes((0x4C, pc & 0xFF, pc >> 8))
    return jumps and not machine.ppu.frames.control & 0x80
