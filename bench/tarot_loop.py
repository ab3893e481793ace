"""The tarot shuffle many times over, in every emulator and in C; see tarot_loop.s."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from py65.devices.mpu6502 import MPU

from fairdeck.data import rom_folder
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import defines
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.variants import FAST
from romproof.engine.protocol import Engine, Guard
from romproof.engine.space import SIZE
from romproof.program.image import Image
from romproof.projects import build, load_manifest

SEED = 0x12345678
NATIVE = Path(__file__).with_name("tarot_native.c")
_SOURCE = Path(__file__).with_name("tarot_loop.s")
_LAYOUT = Path(__file__).with_name("tarot_loop.cfg")
_NOT_LINKED = ("main.s", "lfsr_small.s")
_HEADER = 12
"""Bytes before the program in a file for sim65."""
_NO_LIMIT = 1 << 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """The deck after the last shuffle, and the clock cycles; None where there are none."""

    deck: bytes
    cycles: int | None


@cache
def image() -> Image:
    """The program, linked with the library's fast routines."""
    manifest = load_manifest(rom_folder() / "tarot" / "manifest.toml")
    routines = [path for path in manifest.sources if path.name not in _NOT_LINKED]
    sources = (_SOURCE, *routines)
    return build(
        replace(manifest, name="tarot_loop", sources=sources, config=_LAYOUT, output="tarot_loop"),
        defines=defines(DEFAULT_FEEDBACK, Reduction.CORRECT, FAST),
    ).image


def program(shuffles: int) -> bytes:
    """The file for sim65."""
    made = image()
    data = bytearray(made.files[0].data)
    load = made.address("seed")
    values: Mapping[str, bytes] = {
        "seed": SEED.to_bytes(4, "big"),
        "shuffles": shuffles.to_bytes(3, "little"),
    }
    for name, value in values.items():
        place = _HEADER + made.address(name) - load
        data[place : place + len(value)] = value
    return bytes(data)


def memory(shuffles: int) -> bytes:
    """The address space of an emulator, the program loaded."""
    code = program(shuffles)[_HEADER:]
    start = image().address("seed")
    return bytes(start) + code + bytes(SIZE - start - len(code))


def guard() -> Guard:
    """What the harness asks for when it calls a routine: the program is read-only."""
    first = image().address("seed")
    code = bytes(first) + b"\1" * (SIZE - first)
    return Guard(executable=code, protected=code)


def on_engine(engine: Engine, shuffles: int) -> Outcome:
    """Run on one of our engines."""
    engine.memory[:] = memory(shuffles)
    engine.registers.pc = image().address("reset")
    before = engine.cycles
    engine.run((image().address("finished"),), _NO_LIMIT)
    return Outcome(_deck(engine.memory), engine.cycles - before)


def on_py65(mpu: MPU, shuffles: int) -> Outcome:
    """Run with py65's own ``step()``."""
    mpu.memory[:] = memory(shuffles)
    mpu.pc, end = image().address("reset"), image().address("finished")
    before = mpu.processorCycles
    while mpu.pc != end:
        mpu.step()
    return Outcome(_deck(bytes(mpu.memory)), mpu.processorCycles - before)


def in_sim65(path: Path) -> Outcome:
    """Run a file of ``program()`` in sim65."""
    shown = subprocess.run(["sim65", "-c", path], check=True, capture_output=True).stdout
    return Outcome(shown[:CARDS], int(shown[CARDS:].split()[0]))


def compile_native(folder: Path) -> Path:
    """The program in C for this machine. Raises CalledProcessError when gcc fails."""
    made = folder / "tarot_native"
    subprocess.run(["gcc", "-O3", "-o", made, NATIVE], check=True, capture_output=True)
    return made


def in_c(compiled: Path, shuffles: int) -> Outcome:
    """Run the program in C."""
    words: list[str | Path] = [compiled, f"{SEED:08X}", str(shuffles)]
    return Outcome(subprocess.run(words, check=True, capture_output=True).stdout, None)


def _deck(memory: bytes | bytearray) -> bytes:
    start = image().address("deck")
    return bytes(memory[start : start + CARDS])
