"""The tarot shuffle on the two CPUs, and on emulators of the Game Boy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import amount
from gameboy import player, whole
from rows import Row, best, without_llvm

from fairdeck.data import rom_folder
from fairdeck.tarot.costs import Cost, costs
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import defines
from fairdeck.tarot.on_machine import SHUFFLE
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import MOS6502, SM83, Target
from fairdeck.tarot.variants import FAST
from romproof.engine.engines import make_engine
from romproof.machine.gameboy.lcd import FRAME
from romproof.machine.gameboy.machine import GameBoy
from romproof.program.image import Image
from romproof.projects import build, load_manifest

NAME = "one tarot shuffle, SM83"
OURS = ("llvm", "recompiled")
FRAMES = amount.of(2_000, least=500)
"""About 9,000 shuffles."""
_REQUEST = Request(0x12345678)
_SOURCE = Path(__file__).with_name("tarot_loop.asm")
_LIBRARY = ("state", "deck_init", "shuffle")
_NEAR = 2
"""How many shuffles the counts of two emulators may be apart after the same time."""


def cpus() -> list[Row]:
    """The mean shuffle in the time of the real machines: a Game Boy against an NES."""
    ours, theirs = _cost(SM83), _cost(MOS6502)
    return [
        Row(
            "shuffle, on the real machine",
            f"{ours.clock.title}: {float(ours.mean):,.0f} M-cycles",
            f"{theirs.clock.title}: {float(theirs.mean):,.0f} cycles",
            ours.microseconds / 1e6,
            theirs.microseconds / 1e6,
        )
    ]


def _cost(target: Target) -> Cost:
    return next(cost for cost in costs(target, _REQUEST, variant=FAST) if cost.routine == SHUFFLE)


def game_boy() -> list[Row]:
    """The bare CPU and the machine with its memory map and devices, against PyBoy."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, absent, "PyBoy", None)]
    image = loop()
    rom = whole(image.files[0].data)
    works: dict[str, Callable[[], object]] = {}
    counts: list[Callable[[], int]] = []
    for name in OURS:
        engine = make_engine(name, "sm83")
        engine.memory[: len(rom)] = rom
        engine.registers.pc = image.address("reset")
        works[f"{name}, flat memory"] = partial(engine.run, (), FRAMES * FRAME)
        counts.append(partial(_done, image, engine.memory.__getitem__))
    machine = GameBoy(rom, "llvm")
    works["llvm, machine gameboy"] = lambda: machine.run(FRAMES * FRAME)
    counts.append(lambda: _done(image, machine.peek))
    peer = "PyBoy: not installed"
    if find_spec("pyboy") is not None:
        peer = "PyBoy, no picture"
        other = player(rom)
        works[peer] = lambda: other.tick(FRAMES, False, False)
        counts.append(lambda: _done(image, other.memory.__getitem__))
    for work in works.values():
        work()  # what is compiled at first use
    before = [count() for count in counts]
    times = best(*works.values(), turns=3)
    done = [count() - first for count, first in zip(counts, before, strict=True)]
    assert max(done) - min(done) <= _NEAR, f"shuffles in the same time: {done}"
    seconds = {name: 3 * taken / done[0] for name, taken in zip(works, times, strict=True)}
    theirs = seconds.pop(peer, None)
    return [Row(NAME, name, peer, taken, theirs) for name, taken in seconds.items()]


def loop() -> Image:
    """The program, linked with the library's fast routines."""
    manifest = load_manifest(rom_folder() / SM83.library / "manifest.toml")
    routines = [path for path in manifest.sources if path.stem in _LIBRARY]
    return build(
        replace(manifest, name="tarot_loop", sources=(_SOURCE, *routines), output="tarot_loop.gb"),
        defines=defines(DEFAULT_FEEDBACK, Reduction.CORRECT, FAST),
    ).image


def _done(image: Image, memory: Callable[[int], int]) -> int:
    """How many shuffles were done."""
    address = image.address("done")
    return sum(int(memory(address + place)) << 8 * place for place in range(3))
