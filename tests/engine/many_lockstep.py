"""Many random programs in step on two engines, with interrupts on translated code; one compilation
serves all programs of a cartridge. ``tests/fuzz/fuzz_lockstep.py`` runs thousands of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Protocol

import gameboy_lockstep
import gameboy_routines
import nes_lockstep
import nes_routines

from romproof.machine.board import BoardError

_LATER = 1 << 40
_SEEN_FOR = 3_000
"""Cycles of each program that are executed beforehand, to see what code there is."""
_LENGTHS = (1, 7, 40, 200, 1000, 2000)


class Subject(Protocol):
    """One machine; see ``gameboy_lockstep.Subject``."""

    machine: Any
    fault: str

    def begin(self, random: Random) -> None: ...
    def run(self, cycles: int) -> None: ...
    def seen(self) -> Any: ...


@dataclass
class Counted:
    """What was executed by the engine that is compared with ``plain``, and interrupts served."""

    programs: int = 0
    instructions: int = 0
    translated: int = 0
    interrupts: int = 0
    faults: int = 0

    def __iadd__(self, other: Counted) -> Counted:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def share(self) -> float:
        """That of instructions which translated code executed; the cycles of ``halt`` count as
        instructions, too."""
        return self.translated / max(1, self.instructions)


def kind_of(kind: str, seed: int) -> str:
    """What is counted together: the machine, and the mapper of an NES."""
    return kind if kind == "gameboy" else f"nes {nes_routines.mapper_of(seed)}"


def in_step(
    kind: str, seed: int, programs: range = range(576), engine: str = "recompiled"
) -> Counted:
    """AssertionError where the engine differs from ``plain`` in one of a cartridge's programs. Each
    of 96 routines is begun six times, with other registers, devices and times."""
    begin, make = _game_boys(seed) if kind == "gameboy" else _nes(seed)
    subjects: list[Subject] = [make(name) for name in ("plain", engine)]
    tested: Any = subjects[1].machine.engine
    if engine == "recompiled":
        _see(make(engine), tested, begin, seed, programs)
        tested.many_misses = 200 if seed % 8 == 0 else _LATER
    counted = Counted()
    for program in programs:
        for subject in subjects:
            begin(subject, program, Random(f"{seed} {program}"))
        random = Random(f"{seed} {program} limits")
        before = _served(kind, subjects[0])
        for _ in range(random.randint(3, 6)):
            cycles = random.choice(_LENGTHS)
            for subject in subjects:
                subject.run(cycles)
            first, other = (subject.seen() for subject in subjects)
            assert other == first, f"{kind}, seed {seed}, program {program}, {engine}"
        counted.programs += 1
        counted.faults += bool(subjects[0].fault)
        counted.interrupts += sum(
            (a - b) & 0xFF for a, b in zip(_served(kind, subjects[0]), before, strict=True)
        )
    counted.instructions = tested.instructions
    counted.translated = getattr(tested, "translated_instructions", 0)
    return counted


def _see(explorer: Subject, tested: Any, begin: Any, seed: int, programs: range) -> None:
    """Let another machine execute the programs, and tell the engine what code it has seen."""
    seeing: Any = explorer.machine.engine
    seeing.warm_up = _LATER
    for program in programs[:96]:
        begin(explorer, program, Random(f"{seed} {program}"))
        explorer.run(_SEEN_FOR)
    seen = seeing._units
    if seen is None:  # no banks
        tested._explored[:] = seeing._explored
    else:
        units = tested._new_units()
        units.explored[:], units.where[:] = seen.explored, seen.where
    tested.warm_up = 0


def _served(kind: str, subject: Subject) -> bytes:
    """How many interrupts the handlers have counted, each modulo 256."""
    if kind == "gameboy":
        machine = subject.machine
        return bytes(machine.peek(gameboy_routines.COUNTERS + n) for n in range(5))
    counters = nes_routines.COUNTERS
    return bytes(subject.machine.ram[counters : counters + 2])


def _game_boys(seed: int) -> tuple[Any, Any]:
    rom = gameboy_routines.cartridge(seed)

    def begin(subject: Subject, program: int, random: Random) -> None:
        subject.begin(random)
        machine = subject.machine
        space, cycle = machine.memory.space, machine.cycles
        bank, address = gameboy_routines.first_of(program)
        for at, byte in (
            (0xFF05, random.randrange(0x100)), (0xFF06, 0xFF - random.randrange(10, 0xE0)),
            (0xFF07, random.choice((5, 5, 5, 6, 0))), (0xFFFF, random.choice((4, 5, 7, 6, 0x1F))),
            (0x2000, bank),
        ):  # fmt: skip
            space.write_call(at, byte, cycle)
        store, pages = space.store, space.write_pages
        for at, data in (
            (gameboy_routines.OWN_BANK, bytes((bank,))),
            (gameboy_routines.DMA, gameboy_routines.COPY),
        ):
            place = pages[at >> 8] + (at & 0xFF)
            store[place : place + len(data)] = data
        stack = pages[0xDE]
        starts = [gameboy_routines.first_of(bank * 12 + n)[1] for n in range(12)]
        for place in range(stack, stack + 0x100, 2):
            store[place : place + 2] = random.choice(starts).to_bytes(2, "little")
        machine.registers.sp, machine.registers.pc = 0xDE00 + 2 * random.randrange(0x40), address

    return begin, partial(gameboy_lockstep.Subject, rom)


def _nes(seed: int) -> tuple[Any, Any]:
    rom, mapper = nes_routines.cartridge(seed), nes_routines.mapper_of(seed)

    def begin(subject: Subject, program: int, random: Random) -> None:
        subject.begin(random)
        machine = subject.machine
        piece, address = nes_routines.first_of(mapper, program)
        _, window, bank = nes_routines.home(mapper, piece)
        with suppress(BoardError):  # MMC1 may not switch that window now
            if window is not None:
                machine.select(window, bank)
        machine.registers.pc = address

    return begin, partial(nes_lockstep.Subject, rom)
