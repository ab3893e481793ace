"""The NES without a picture against real time: seconds that one second of a console takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rows import Row, best, without_llvm

from romproof.machine.nes.machine import Nes

NAME = "one second of an NES"
SECONDS = 5
CLOCK = 1_789_773
"""Cycles of the CPU in a second, NTSC."""
_ENGINES = ("llvm", "recompiled")
_PRG = 0x8000
_NMI, _MAIN, _IRQ = 0xC100, 0xC000, 0xC200
_PORT, _PORT_END = 0x5000, 0x5003

_WAIT_TWICE = "a2 40 8e 17 40 2c 02 20 2c 02 20 10 fb 2c 02 20 10 fb"
"""No IRQ of the frame counter; wait for two vertical blanks: 18 bytes."""
_FRAME = (
    "48 8a 48"  # pha; txa; pha
    "a9 00 8d 03 20 a9 02 8d 14 40"  # OAM DMA
    "a9 00 8d 05 20 8d 05 20 a9 80 8d 00 20 a9 1e 8d 01 20"  # scroll, picture on
    "a9 01 8d 16 40 4a 8d 16 40"  # strobe
    "a2 08 ad 16 40 4a 26 11 ca d0 f7"  # eight buttons
    "e6 10 68 aa 68 40"  # count frames, return
)
"""What a game does in its NMI."""
_PORT_FRAME = "48 ad 00 50 8d 01 50 ad 02 50 8d 03 50" + _FRAME[2:]
"""The same, and two reads and two writes of a port."""
_PROGRAMS = {
    "waits for NMI": ("a9 80 8d 00 20 a5 10 c5 10 f0 fc 4c 17 c0", _FRAME),
    "waits for $2002": ("2c 02 20 10 fb a9 02 8d 14 40 e6 10 4c 12 c0", "40"),
    "always busy": (
        "a9 80 8d 00 20 a2 00 bd 00 03 7d 00 04 9d 00 05 e8 d0 f4 4c 17 c0", _FRAME,
    ),
    "always busy, a port in Python": (
        "a9 80 8d 00 20 a2 00 bd 00 03 7d 00 04 9d 00 05 e8 d0 f4 4c 17 c0", _PORT_FRAME,
    ),
}  # fmt: skip
"""The main program behind _WAIT_TWICE, and NMI's handler, by what the game does."""


_BANKED = {
    "always busy, in two banks of UxROM": (
        "a9 80 8d 00 20 a9 01 8d 00 a0 20 00 80 a9 02 8d 00 a0 20 00 80 4c 17 c0",
        _FRAME,
    ),
}
"""The same for a cartridge whose banks 1 and 2 work at $8000: 256 additions and ``rts``."""
_BANK_WORKS = "a2 00 bd 00 03 7d 00 04 9d 00 05 e8 d0 f4 60"


class Port:
    """A device in Python, as a test would attach one."""

    def __init__(self) -> None:
        self.value = 0

    def read(self, address: int, cycle: int) -> int:
        """What was written, and more."""
        return self.value + address & 0xFF

    def write(self, address: int, value: int, cycle: int) -> None:
        """Keep it."""
        self.value = value


def seconds() -> list[Row]:
    """Each game on each compiled engine."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, absent, "a console", None)]
    return [
        Row(NAME, f"{engine}, {game}", "a console", _second(engine, game), 1.0)
        for game in (*_PROGRAMS, *_BANKED)
        for engine in _ENGINES
    ]


def _second(engine: str, game: str) -> float:
    """The seconds that one of the machine takes."""
    banked = _BANKED.get(game)
    image = cartridge(*_PROGRAMS[game]) if banked is None else banked_cartridge(*banked)
    machine = Nes(image, engine)
    machine.space.attach(_PORT, _PORT_END, Port())
    frames = _warmed(machine)
    (taken,) = best(lambda: machine.run((), SECONDS * CLOCK))
    assert frames() > 250, "the game counts its frames"
    return taken / SECONDS


def _warmed(machine: Nes) -> Callable[[], int]:
    """Run until all is compiled; gives what counts the frames since then, up to 255."""
    inner: Any = machine.engine
    inner.warm_up = CLOCK
    for part in range(4):  # execution is known to begin where a run begins
        machine.run((), CLOCK // 2 + part)
    begin = machine.cycles
    return lambda: min(255, (machine.cycles - begin) // 29_781)


def cartridge(main: str, nmi: str) -> bytes:
    """NROM with 32 KiB of program and 8 KiB of graphics."""
    program = bytearray(_PRG)
    vectors = b"".join(place.to_bytes(2, "little") for place in (_NMI, _MAIN, _IRQ))
    for place, code in (
        (_MAIN, bytes.fromhex(_WAIT_TWICE + main)),
        (_NMI, bytes.fromhex(nmi)),
        (_IRQ, b"\x40"),
        (0xFFFA, vectors),
    ):
        program[place - _PRG : place - _PRG + len(code)] = code
    return b"NES\x1a\x02\x01" + bytes(10) + bytes(program) + bytes(0x2000)


def banked_cartridge(main: str, nmi: str) -> bytes:
    """UxROM with 64 KiB of program, and RAM for graphics."""
    bank, work = 0x4000, bytes.fromhex(_BANK_WORKS)
    last = cartridge(main, nmi)[0x10 + bank : 0x10 + 2 * bank]
    others = bytes(bank) + 2 * work.ljust(bank, b"\xea")
    return b"NES\x1a\x04\x00\x20" + bytes(9) + others + last
