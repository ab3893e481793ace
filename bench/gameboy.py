"""The SM83: a small program that keeps the CPU busy, against PyBoy without picture and sound."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rows import Row, best, without_llvm

from romproof.engine.engines import make_engine
from romproof.isa.codec import encode, encodings
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.rtc import SECOND

FRAMES = 1200
"""20 seconds of a Game Boy."""
NAME = "SM83, one second of a Game Boy"
_STATE, _COUNT = 0xC000, 0xC002
_TAPS = 0xB4
"""The high byte of x^16 + x^14 + x^13 + x^11 + 1, which has the full period of 65,535."""
_START, _CODE, _SIZE = 0x100, 0x150, 0x8000
_SUMMED, _CHECKSUM = slice(0x134, 0x14D), 0x14D
_ENTRY = (("jp", "a16", _CODE),)
_PREPARE = (
    ("di", "", 0),
    ("ld", "hl, n16", _STATE),
    ("ld", "a, n8", 1),
    ("ld", "[hl+], a", 0),
    ("xor", "a, a", 0),
    *[("ld", "[hl+], a", 0)] * 4,
)
_STEP = (
    ("ld", "hl, n16", _STATE),
    ("ld", "e, [hl]", 0),
    ("inc", "l", 0),
    ("ld", "d, [hl]", 0),
    ("srl", "d", 0),
    ("rr", "e", 0),
    ("jr", "nc, e8", 4),  # over the next three
    ("ld", "a, d", 0),
    ("xor", "a, n8", _TAPS),
    ("ld", "d, a", 0),
    ("ld", "[hl], d", 0),
    ("dec", "l", 0),
    ("ld", "[hl], e", 0),
    ("ld", "l, n8", _COUNT & 0xFF),
    ("inc", "[hl]", 0),
    ("jr", "nz, e8", 6),  # to the jump below
    ("inc", "l", 0),
    ("inc", "[hl]", 0),
    ("jr", "nz, e8", 2),
    ("inc", "l", 0),
    ("inc", "[hl]", 0),
)
"""A step of a shift register of 16 bits, and 24 bits that count the steps."""


def seconds_of_a_game_boy() -> list[Row]:
    """The machine, and the bare CPU with flat memory, against PyBoy."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, absent, "PyBoy", None)]
    image = rom()
    machine = GameBoy(image, "llvm")
    engine = make_engine("llvm", "sm83")
    engine.memory[:_SIZE] = image
    engine.registers.pc = _START
    works: list[Callable[[], object]] = [
        lambda: machine.run(FRAMES * FRAME),
        lambda: engine.run((), FRAMES * FRAME),
    ]
    counts = [lambda: _steps(machine.peek), lambda: _steps(engine.memory.__getitem__)]
    peer = "PyBoy: not installed"
    if find_spec("pyboy") is not None:
        peer = "PyBoy, no picture"
        player = _player(image)
        works.append(lambda: player.tick(FRAMES, False, False))
        counts.append(lambda: _steps(player.memory.__getitem__))
    for work in works:
        work()  # what is compiled at first use
    before = [count() for count in counts]
    taken = best(*works)
    _check([count() - start for count, start in zip(counts, before, strict=True)])
    seconds = [time * SECOND / (FRAMES * FRAME) for time in taken]
    peer_s = seconds[2] if len(seconds) > 2 else None
    return [
        Row(NAME, "engine llvm, Game Boy", peer, seconds[0], peer_s),
        Row(NAME, "engine llvm, flat memory", peer, seconds[1], peer_s),
    ]


def rom() -> bytes:
    """A cartridge of 32 KiB that steps the register for ever."""
    image = bytearray(_SIZE)
    entry, prepare, step = (_assemble(lines) for lines in (_ENTRY, _PREPARE, _STEP))
    image[_START : _START + len(entry)] = entry
    code = prepare + step + _assemble([("jp", "a16", _CODE + len(prepare))])
    image[_CODE : _CODE + len(code)] = code
    image[_CHECKSUM] = -sum(byte + 1 for byte in image[_SUMMED]) & 0xFF
    return bytes(image)


def _assemble(lines: Iterable[tuple[str, str, int]]) -> bytes:
    opcodes = encodings("sm83")
    return b"".join(encode(opcodes[name][form], operand) for name, form, operand in lines)


def _player(image: bytes) -> Any:
    """A PyBoy that does not wait for real time."""
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    player = pyboy.PyBoy(
        io.BytesIO(image), window="null", sound_emulated=False, log_level="ERROR"
    )
    player.set_emulation_speed(0)
    return player


def _steps(peek: Callable[[int], int]) -> int:
    """How often the register was stepped; it must hold what it then does."""
    ...


def _check(steps: list[int]) -> None:
    """In the same time all emulators do the same, but for a step at either end."""
    assert max(steps) - min(steps) <= 2, f"steps in the same time: {steps}"
