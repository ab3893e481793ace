"""The tarot shuffle executed: py65, the harness around the engines, and the routine itself."""

from __future__ import annotations

from collections.abc import Mapping

import amount
from compiled import FLAGS, compiled_shuffle, variables
from py65.devices.mpu6502 import MPU
from rows import Row, best, missing

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import DEFAULT_FEEDBACK
from fairdeck.tarot.library import tarot_library
from fairdeck.tarot.on_machine import LIMIT, SHUFFLE, on_machine
from fairdeck.tarot.runs import Request
from fairdeck.tarot.targets import MOS6502
from fairdeck.tarot.variants import FAST
from romproof.engine.engines import ENGINES, make_engine
from romproof.engine.protocol import Engine
from romproof.engine.py65_engine import Py65Engine
from romproof.harness.rom import Rom
from romproof.machine.memory import load_image
from romproof.program.image import Image

MEGAHERTZ = 1_000_000
REQUEST = Request(0x12345678)
SHUFFLES = 25
CALLS = 3
COMPILED_CALLS = amount.of(100)
"""Calls in a turn. Of an engine that takes 20 ms for each, three are enough; of a compiled one they
would measure caches that are cold, and a test that loops over its cases has warm ones."""
RETURN = 0x0500
"""Where a called routine returns to; nothing is there."""


def engine() -> list[Row]:
    """The engine's loop against py65's own ``step()``, on the whole program."""
    image = _image()
    entry, end = image.address("reset"), image.address("done")
    memory = _memory(image, {**variables(REQUEST), "shuffle_count": bytes([SHUFFLES])})
    ours, theirs = Py65Engine(), MPU(memory=[0] * 0x10000)
    cycles: list[int] = []

    def run() -> None:
        cycles.append(_run(ours, memory, entry, end))

    def step() -> None:
        theirs.memory[:] = memory
        theirs.pc = entry
        before = theirs.processorCycles
        while theirs.pc != end:
            theirs.step()
        cycles.append(theirs.processorCycles - before)

    seconds = best(run, step)
    assert len(set(cycles)) == 1
    return [Row(f"emulate {cycles[0]:,} cycles", "engine py65", "py65, step()", *seconds)]


def call() -> list[Row]:
    """What guards, contract and result cost on top of an engine."""
    return [_call(name) for name, row in ENGINES.items() if row.missing() is None]


def _call(name: str) -> Row:
    image = _image()
    rom, bare = Rom(image, name), make_engine(name)
    given = variables(REQUEST)
    routine, memory = image.address(SHUFFLE), _memory(image, given)
    calls = COMPILED_CALLS if name in ("llvm", "recompiled") else CALLS

    def checked() -> None:
        for _ in range(calls):
            rom.call(SHUFFLE, mem=given)

    def unchecked() -> None:
        for _ in range(calls):
            _run(bare, memory, routine, RETURN)

    seconds = (taken / calls for taken in best(checked, unchecked))
    return Row("call a routine", f"Rom.call() on {name}", "the engine, unchecked", *seconds)


def shuffle() -> list[Row]:
    """The cycles of one shuffle, in assembly and in compiled C, as seconds at 1 MHz."""
    (outcome,) = on_machine(MOS6502, REQUEST, variant=FAST)
    assert outcome.cycles is not None
    name, ours = "shuffle, at 1 MHz", f"assembly: {outcome.cycles:,} cycles"
    absent = missing("cl65")
    if absent is not None:
        return [Row(name, ours, absent, outcome.cycles / MEGAHERTZ)]
    deck, cycles = compiled_shuffle(REQUEST)
    assert deck == outcome.deck
    seconds = (outcome.cycles / MEGAHERTZ, cycles / MEGAHERTZ)
    return [Row(name, ours, f"cl65 {' '.join(FLAGS)}: {cycles:,} cycles", *seconds)]


def _image() -> Image:
    return tarot_library(MOS6502, DEFAULT_FEEDBACK, Reduction.CORRECT, FAST).image


def _memory(image: Image, values: Mapping[str | int, bytes]) -> bytes:
    """The address space before a run, the return address of a call pushed."""
    memory = bytearray(load_image(image).initial)
    memory[0x1FE:0x200] = (RETURN - 1).to_bytes(2, "little")
    for name, data in values.items():
        address = image.address(str(name))
        memory[address : address + len(data)] = data
    return bytes(memory)


def _run(engine: Engine, memory: bytes, begin: int, end: int) -> int:
    """The cycles from one address to another."""
    engine.memory[:] = memory
    engine.registers.pc, engine.registers.s = begin, 0xFD
    before = engine.cycles
    engine.run((end,), LIMIT)
    return engine.cycles - before
