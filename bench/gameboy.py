"""The SM83: a small program that keeps the CPU busy, against PyBoy without picture and sound."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import amount
from rows import Row, best, without_llvm

from romproof.engine.engines import make_engine
from romproof.isa.codec import encode, encodings
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.rtc import SECOND

NAME = "one second of a Game Boy"
FRAMES = amount.of(6_000, least=2_000)
"""100 seconds of a Game Boy, in a quarter of a second or so."""
_REGISTER, _COUNT = 0xC000, 0xC002
_TAPS = 0xB4
"""The high byte of x^16 + x^14 + x^13 + x^11 + 1, of full period."""
GAME = "the same, a game that"
COLOR_GAME = "a Game Boy Color at double speed, a game that"
COLOR_GAME = "the same in colour at double speed, a game that"
_ENGINES = ("llvm", "recompiled")
_FRAMES_SEEN = 0xC010
_WORK = (
    "0608 2100c1"  # ld b, 8; ld hl, $C100
    "2a82577dfe4020f8"  # ld a, [hl+]; add d; ld d, a; ld a, l; cp $40; jr nz
    "0520f2c9"  # dec b; jr nz; ret
)
_BANKS_WORK = "3e02ea0020 cd0040 3e03ea0020 cd0040"
"""Two banks work, one after the other."""
_GAME = {
    0x0040: "c30002",
    0x0050: "c30003",
    0x0100: "c35001",
    0x0147: "010100",  # MBC1, 64 KiB
    0x0150: "31fedf"  # ld sp, $DFFE
    "210004 0e80 0608 2a e20c0520fa"  # OAM DMA's routine into HRAM
    "af ea10c0 ea11c0 ea20c0 ea21c0 e00f e006 3e04e007 3e05e0ff fb"  # timer, VBlank, ei
    "c38001",
    0x0200: "f5 c5 e5 3ec1 cd80ff"  # OAM DMA
    "fa20c0 e043 fa21c0 e042 3ee4 e047"  # scroll, colours
    "3e20e000f000f000 3e10e000f000f000f000f000f000f000 3e30e000"  # the buttons
    "3e80e011 3ef0e012 3e73e013 3e86e014"  # a sound
    "2110c0 34 e1c1f1d9",  # one more in _FRAMES_SEEN, reti
    0x0300: "f5 fa11c0 3c ea11c0 f1 d9",  # the timer's handler counts
    0x0400: "e046 3e28 3d 20fd c9",  # ldh [DMA], a; wait for 160 M-cycles
    0x8000: _WORK,
    0xC000: _WORK,
}
"""The code of the games, by its place in the cartridge; the main loop is at $0180."""
_MAIN = 0x0180
_GAMES = {
    "waits with halt": "7600" + _BANKS_WORK + "18ec",
    "is always busy": _BANKS_WORK + "18ee",
    "waits for LY": "f044 fe90 20fa" + _BANKS_WORK + "f044 fe90 28fa 18e2",
    "asks STAT before it writes to VRAM": "210098 f041 e602 20fa 77 23 7c fe9b 20f3 18ee",
    "has 68 timer interrupts a frame": "3e06e007 3ef0e006 7600" + _BANKS_WORK + "18ec",
}
"""Their main loops."""
_IN_COLOR = {
    0x0143: "80",
    0x0200: "f5 c5 e5 3ec1 cd80ff cd2005"  # OAM DMA, and what follows
    "fa20c0 e043 fa21c0 e042 3ee4 e047"
    "3e20e000f000f000 3e10e000f000f000f000f000f000f000 3e30e000"
    "3e80e011 3ef0e012 3e73e013 3e86e014"
    "2110c0 34 e1c1f1d9",
    0x0500: "3e30e000 3e01e04d 1000 c38001",  # the other speed
    0x0520: "3e84e068 3e12e069 3e34e069 3e84e06a 3e56e06b 3e78e06b"  # a colour of each
    "3ec1e051 afe052 3e88e053 afe054 3e07e055"  # VRAM DMA of 128 bytes
    "3e01e04f ea0098 afe04f"  # the other bank of VRAM
    "3e03e070 2100d0 34 3e01e070 c9",  # another bank of work RAM
}
"""What a game has instead when it uses what only a Color has."""
_START, _CODE, _SIZE = 0x0100, 0x0150, 0x8000
_SIZE_CODE, _SUMMED, _CHECKSUM = 0x148, slice(0x134, 0x14D), 0x14D

_Lines = Iterable[tuple[str, str, int]]
_ENTRY: _Lines = (("jp", "a16", _CODE),)
_PREPARE: _Lines = (
    ("di", "", 0),
    ("ld", "hl, n16", _REGISTER),
    ("ld", "a, n8", 1),
    ("ld", "[hl+], a", 0),
    ("xor", "a, a", 0),
    *[("ld", "[hl+], a", 0)] * 4,
)
_STEP: _Lines = (
    ("ld", "hl, n16", _REGISTER),
    ("ld", "e, [hl]", 0),
    ("inc", "l", 0),
    ("ld", "d, [hl]", 0),
    ("srl", "d", 0),
    ("rr", "e", 0),
    # no branch here: how long it takes to guess it wrong is a matter of luck
    ("sbc", "a, a", 0),
    ("and", "a, n8", _TAPS),
    ("xor", "a, d", 0),
    ("ld", "[hl], a", 0),
    ("dec", "l", 0),
    ("ld", "[hl], e", 0),
    ("ld", "l, n8", _COUNT & 0xFF),
    ("inc", "[hl]", 0),
    ("jr", "nz, e8", 6),  # to the end
    ("inc", "l", 0),
    ("inc", "[hl]", 0),
    ("jr", "nz, e8", 2),
    ("inc", "l", 0),
    ("inc", "[hl]", 0),
)
"""A step of a shift register of 16 bits, and 24 bits that count the steps."""


def seconds() -> list[Row]:
    """The machine with its memory map and devices, and the bare CPU, against PyBoy; and games that
    fill OAM, scroll, look at the buttons and start a sound in each frame."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, absent, "PyBoy", None)]
    image = rom()
    bare = make_engine("llvm", "sm83")
    bare.memory[:_SIZE] = image
    bare.registers.pc = _START
    flat = ("llvm, flat memory", lambda: bare.run((), FRAMES * FRAME), bare.memory.__getitem__)
    return [
        *_rows(NAME, image, FRAMES, _steps, 1 << 24, [flat]),
        *(
            row
            for name, main in _GAMES.items()
            for row in _rows(f"{GAME} {name}", game(main), FRAMES // 10, _frames_seen, 256, [])
        ),
        *(
            row
            for name, main in _GAMES.items()
            for row in _rows(
                f"{COLOR_GAME} {name}", color_game(main), FRAMES // 10, _frames_seen, 256, [], 2
            )
        ),
    ]


def _rows(
    name: str,
    image: bytes,
    frames: int,
    count: Callable[[Callable[[int], int]], int],
    modulus: int,
    others: list[tuple[str, Callable[[], object], Callable[[int], int]]],
    speed: int = 1,
) -> list[Row]:
    """A row for each engine and for the ``others``; ``count`` says how far a program has come,
    ``modulus`` where that wraps around, ``speed`` how many times as fast the CPU is."""
    works: list[Callable[[], object]] = []
    memories: list[Callable[[int], int]] = []
    for engine in _ENGINES:
        machine = GameBoy(image, engine)
        works.append(partial(machine.run, speed * frames * FRAME))
        memories.append(machine.peek)
    for _, work, memory in others:
        works.append(work)
        memories.append(memory)
    if find_spec("pyboy") is not None:
        theirs = player(image)
        works.append(lambda: theirs.tick(frames, False, False))
        memories.append(lambda address: int(theirs.memory[address]))
    for work in works * 2:
        work()  # what is compiled at first use, and when more of the program was seen
    before = [count(memory) for memory in memories]
    times = best(*works)
    after = [count(memory) for memory in memories]
    _check([(end - start) % modulus for start, end in zip(before, after, strict=True)])
    labels = [
        *(f"{engine}, machine gameboy" for engine in _ENGINES),
        *(label for label, *_ in others),
    ]
    ours = [time * SECOND / (frames * FRAME) for time in times]
    rest = ours[len(labels) :]
    peer = "PyBoy, no picture" if rest else "PyBoy: not installed"
    return [
        Row(name, label, peer, taken, *rest) for label, taken in zip(labels, ours, strict=False)
    ]


def game(main: str) -> bytes:
    """A cartridge with MBC1 and a main loop."""
    image = bytearray(2 * _SIZE)
    for place, code in (*_GAME.items(), (_MAIN, main)):
        image[place : place + len(bytes.fromhex(code))] = bytes.fromhex(code)
    return whole(image)


def color_game(main: str) -> bytes:
    """The same for a Game Boy Color, which it has at double speed."""
    image = bytearray(game(main))
    # the start ends with a jump to the main loop
    end = image.index(bytes.fromhex("fb c38001"), _CODE)
    image[end + 2 : end + 4] = b"\x00\x05"
    for place, code in _IN_COLOR.items():
        image[place : place + len(bytes.fromhex(code))] = bytes.fromhex(code)
    return whole(image)


def rom() -> bytes:
    """A cartridge of 32 KiB that steps the register for ever."""
    image = bytearray(_SIZE)
    prepare = _assembled(_PREPARE)
    again: _Lines = (("jp", "a16", _CODE + len(prepare)),)
    for address, code in (
        (_START, _assembled(_ENTRY)),
        (_CODE, prepare + _assembled(_STEP) + _assembled(again)),
    ):
        image[address : address + len(code)] = code
    return whole(image)


def whole(image: bytes | bytearray) -> bytes:
    """A cartridge that emulators take: as large as its header says, with the header's checksum."""
    made = bytearray(image)
    made += bytes(max(0, (_SIZE << made[_SIZE_CODE]) - len(made)))
    made[_CHECKSUM] = -sum(byte + 1 for byte in made[_SUMMED]) & 0xFF
    return bytes(made)


def _assembled(lines: _Lines) -> bytes:
    opcodes = encodings("sm83")
    return b"".join(encode(opcodes[name][form], operand) for name, form, operand in lines)


def player(image: bytes) -> Any:
    """A PyBoy that does not wait for real time."""
    with warnings.catch_warnings(action="ignore"):  # it tells where its SDL2 comes from
        pyboy = import_module("pyboy")
    player = pyboy.PyBoy(io.BytesIO(image), window="null", sound_emulated=False, log_level="ERROR")
    player.set_emulation_speed(0)
    return player


def _frames_seen(memory: Callable[[int], int]) -> int:
    """How many VBlanks a game has handled."""
    return memory(_FRAMES_SEEN)


def _steps(memory: Callable[[int], int]) -> int:
    """How often the register was stepped."""
    return sum(memory(_COUNT + place) << 8 * place for place in range(3))


def _check(counted: list[int]) -> None:
    """In the same time all do the same, up to a step at either end."""
    assert max(counted) - min(counted) <= 2, f"steps in the same time: {counted}"
