"""Run public programs for NES boards beside another emulator, and write what came of it as a page.

    python tools/boards_nes.py CORE FOLDER... > docs/conformance-nes-boards.md

CORE is a core of libretro, as nestopia_libretro.so of Debian's libretro-nestopia. Below the folders
are the ROMs, or what their sources were built to; none of them is part of this project.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from romproof.formats.ines import read_ines
from romproof.machine.nes.machine import Nes

ENGINES = ("llvm",)
FRAMES = 3_600
_STACK = slice(0x100, 0x200)
"""What is left there of interrupts depends on the instruction that they came after."""


@dataclass(frozen=True, slots=True)
class Program:
    """A public program: the end of its path below the folders, where it is from, what it is.

    ``known`` says why a difference is none of ours.
    """

    path: str
    source: str
    kind: str
    known: str = ""


_HOLY = "pinobatch/holy-mapperel 4e48b59432"
_ROMS = "christopherpow/nes-test-roms 95d8f621ae"
_GAMES = "retrobrews/nes-games d20061bf99"
_SOUND = "bbbradsmith/nes-audio-tests 99ef107f3f"

PROGRAMS = (
    Program("mmc5test/mmc5test.nes", _ROMS, "test"),
    Program(
        "mmc5test_v2/mmc5test.nes",
        _ROMS,
        "test",
        known="with sprites of 8 pixels $2007 sees the first set of banks, as in Mesen 2; in "
        "Nestopia the set that was written last",
    ),
    Program("exram/mmc5exram.nes", _ROMS, "test"),
    Program(
        "other/firefly.nes",
        _ROMS,
        "demo",
        known="a counter of IRQs by which it finds the CPU's phase within a dot, which emulators "
        "choose differently",
    ),
    Program("MMC5_Demo_a.nes", "Safyrus/NES-MMC5-Demo a4307416b8", "game, built with ca65"),
    Program("demos/mmc5/mmc5.nes", "zeta0134/bhop 9a101101b3", "music, built with ca65"),
    Program("testroms/M9_P128K_C64K.nes", _HOLY, "test, built with ca65"),
    Program("testroms/M28_P1M_CR32K.nes", _HOLY, "test, built with ca65"),
    Program("other/test28.nes", _ROMS, "test"),
    Program("other/Streemerz_bundle.nes", _ROMS, "games"),
    Program("filthykitchen.nes", _GAMES, "game"),
    Program("tactus-v0.2-demo.nes", "nesdev-org/homebrew-db 5654eef54a", "game"),
    Program("blackboxchallenge.nes", _GAMES, "game"),
    Program("babelblox.nes", _GAMES, "game"),
    Program("testroms/M66_P64K_C16K_V.nes", _HOLY, "test, built with ca65"),
    Program("lala.nes", _GAMES, "game"),
    Program(
        "testroms/M69_P128K_C64K_W8K.nes",
        _HOLY,
        "test, built with ca65",
        known="it finds no fault here, and in Nestopia one in the RAM at $6000",
    ),
    Program("build/sweep_5b.nes", _SOUND, "music"),
    Program("build/envelope_5b.nes", _SOUND, "music"),
    Program("testroms/M1_P512K_CR8K_S32K.nes", _HOLY, "test, built with ca65"),
    Program("testroms/M4_P256K_C256K.nes", _HOLY, "test, built with ca65"),
)
"""Ordered by board, but for the last ones, of boards that other pages have."""


def buttons(frame: int) -> frozenset[str]:
    """What is held in a frame: nothing for a second, then start, A, B and directions by turns."""
    held = set()
    if frame >= 60:
        if frame % 40 < 4:
            held.add("a" if frame // 40 % 3 else "start")
        direction = (None, "right", "down", "left")[frame // 60 % 4]
        if direction:
            held.add(direction)
        if 25 <= frame % 50 < 30:
            held.add("b")
    return frozenset(held)


def run_here(rom: bytes, engine: str, frames: int) -> list[bytes]:
    """The RAM when vertical blank begins, for each frame."""
    nes = Nes(rom, engine, fill=0)
    seen, held = [], frozenset[str]()
    for frame in range(frames):
        wanted = buttons(frame)
        for button in wanted - held:
            nes.press(button)
        for button in held - wanted:
            nes.release(button)
        held = wanted
        nes.run((), nes.frame_end() - nes.cycles)
        seen.append(bytes(nes.ram))
    return seen


_ENVIRONMENT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_uint, ctypes.c_void_p)
_VIDEO = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_size_t)
_SAMPLE = ctypes.CFUNCTYPE(None, ctypes.c_int16, ctypes.c_int16)
_SAMPLES = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t)
_POLL = ctypes.CFUNCTYPE(None)
_INPUT = ctypes.CFUNCTYPE(ctypes.c_int16, *[ctypes.c_uint] * 4)
_FOLDERS, _FORMAT, _JOYPAD, _RAM = (9, 31), 10, 1, 2
_BUTTONS = {
    "b": 0, "select": 2, "start": 3, "up": 4, "down": 5, "left": 6, "right": 7, "a": 8,
}  # fmt: skip
"""Numbers of libretro.h."""


class _GameInfo(ctypes.Structure):
    _fields_ = (
        ("path", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("meta", ctypes.c_char_p),
    )


def run_there(core: Path, rom: bytes, frames: int) -> list[bytes]:
    """The same of another emulator, a core of libretro. Raises OSError, and RuntimeError when it
    refuses the ROM."""
    library: Any = ctypes.CDLL(str(core))
    held: list[frozenset[str]] = [frozenset()]

    def answer(command: int, data: int) -> bool:
        if command in _FOLDERS:
            ctypes.cast(data, ctypes.POINTER(ctypes.c_char_p))[0] = b"."
        return command in _FOLDERS or command == _FORMAT

    def is_held(port: int, device: int, index: int, number: int) -> int:
        return int(port == 0 and any(_BUTTONS[name] == number for name in held[0]))

    callbacks: dict[str, Any] = {
        "environment": _ENVIRONMENT(answer),
        "video_refresh": _VIDEO(lambda *_: None),
        "audio_sample": _SAMPLE(lambda *_: None),
        "audio_sample_batch": _SAMPLES(lambda _, count: count),
        "input_poll": _POLL(lambda: None),
        "input_state": _INPUT(is_held),
    }
    for name, callback in callbacks.items():
        getattr(library, f"retro_set_{name}")(callback)
    library.retro_get_memory_data.restype = ctypes.c_void_p
    library.retro_init()
    data = ctypes.create_string_buffer(rom, len(rom))
    info = _GameInfo(b"game.nes", ctypes.cast(data, ctypes.c_void_p), len(rom), None)
    try:
        if not library.retro_load_game(ctypes.byref(info)):
            raise RuntimeError(f"{core.name} refuses the ROM")
        library.retro_set_controller_port_device(0, _JOYPAD)
        seen = []
        for frame in range(frames):
            held[0] = buttons(frame)
            library.retro_run()
            seen.append(ctypes.string_at(library.retro_get_memory_data(_RAM), 0x800))
        library.retro_unload_game()
    finally:
        library.retro_deinit()
    return seen


@dataclass(frozen=True, slots=True)
class Compared:
    """A program, and in how many of ``frames`` its RAM was the same as there; the most bytes that
    differed in one, and the most frames in a row in which any did. ``engines`` is whether all
    ENGINES had the same RAM in each frame."""

    program: Program
    mapper: int
    digest: str
    frames: int
    same: int
    most: int
    longest: int
    engines: bool


def compare(
    program: Program, rom: bytes, there: Callable[[bytes, int], list[bytes]], frames: int
) -> Compared:
    """Run a program here, on each engine, and there."""
    runs = [run_here(rom, engine, frames) for engine in ENGINES]
    differences = [_differ(a, b) for a, b in zip(runs[0], there(rom, frames), strict=True)]
    rows = [len(list(row)) for is_other, row in groupby(differences, bool) if is_other]
    return Compared(
        program,
        read_ines(rom).mapper,
        hashlib.sha256(rom).hexdigest()[:12],
        frames,
        differences.count(0),
        max(differences),
        max(rows, default=0),
        all(run == runs[0] for run in runs),
    )


def _differ(ours: bytes, theirs: bytes) -> int:
    """How many bytes differ, but for those of the stack."""
    pairs = zip(_without_stack(ours), _without_stack(theirs), strict=True)
    return sum(a != b for a, b in pairs)


def _without_stack(ram: bytes) -> bytes:
    return ram[: _STACK.start] + ram[_STACK.stop :]


HEAD = """\
# Programs on NES boards

`tools/boards_nes.py` runs public programs here and in Nestopia (libretro, 1.52), presses the same
buttons, and compares 1,792 bytes of RAM (all but the stack) whenever vertical blank begins, for
{frames:,} frames: a minute. None of the programs is part of this project; the table has the commit
of its repository and the first digits of the SHA-256 of the ROM.

A frame in which a few bytes differ is one in which a program was still computing when vertical
blank began: the two emulators are not stopped in the same cycle. If RAM is the same again
afterwards, the program did the same; *longest* is the most frames in a row that differ. It was run
here on {engines}; that the engines do the same in each cycle is tested with random programs
(`tests/engine/nes_lockstep.py`).

| mapper | program | what | frames that are the same | most bytes that differ | longest |
|---|---|---|--:|--:|--:|
"""

TAIL = """
Mapper 9 was on one game only, and has no homebrew. For 69 there are tests of its sound, which
switch no banks. For 71 and 206 the repositories above have neither games nor tests; what these
boards do is held against nesdev's pages alone (`tests/machine/test_nes_boards.py`).
"""


def page(rows: Sequence[Compared]) -> str:
    """The page in Markdown."""
    frames = max((row.frames for row in rows), default=FRAMES)
    engines = " and ".join(f"`{engine}`" for engine in ENGINES)
    lines = [HEAD.format(frames=frames, engines=engines)]
    lines += [_row(row) for row in rows]
    notes = [f"- {_name(row)}: {row.program.known}.\n" for row in rows if row.program.known]
    if notes:
        lines += ["\nThe differences that stay:\n\n", *notes]
    return "".join(lines) + TAIL


def _name(row: Compared) -> str:
    return Path(row.program.path).stem + (" (v2)" if "_v2/" in row.program.path else "")


def _row(row: Compared) -> str:
    program = row.program
    what = f"{program.kind}; {program.source}; {row.digest}"
    if not row.engines:
        what += "; **the engines differ**"
    return (
        f"| {row.mapper} | {_name(row)} | {what} | {row.same:,} | {row.most} | {row.longest:,} |\n"
    )


def run(core: Path, folders: Sequence[Path]) -> Iterator[Compared]:
    """All programs that are below the folders, in order; says on stderr how far it is."""
    files = sorted(file for folder in folders for file in folder.rglob("*.nes"))
    for program in PROGRAMS:
        found = next((file for file in files if file.as_posix().endswith("/" + program.path)), None)
        if found is None:
            print("----", program.path, file=sys.stderr, flush=True)
            continue
        row = compare(program, found.read_bytes(), partial(run_there, core), FRAMES)
        print(row.same, program.path, file=sys.stderr, flush=True)
        yield row


def main() -> None:
    """Read the command line, run everything, print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("core", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    arguments = parser.parse_args()
    print(page(list(run(arguments.core, arguments.folders))), end="")


if __name__ == "__main__":
    main()
