"""Running code under the profiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from romproof.engine.instruments import Instruments
from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.gameboy import machine_of, places_of, run_on_gameboy, stays
from romproof.harness.listeners.profiling import access_point, places_on
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.harness.state.values import GivenValue, Target
from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.machine.board import Board
from romproof.machine.boards import FLAT
from romproof.machine.gameboy.board import GameBoyBoard
from romproof.measure.code_locations import CodeLocations
from romproof.measure.frame_loads import FrameLoad, FrameLoads
from romproof.measure.model import CycleProfile
from romproof.measure.profile import Profiler
from romproof.measure.waits import Wait, find_waits
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class Measured:
    """``profile`` of ``runs`` executions.

    ``places`` are where its code stands. ``violation`` is the first broken contract, None when
    all were kept; ``cut`` is True when the cycle limit ended a program that had not halted.
    ``waits`` are the loops in which it waited, ``frames`` those from one vertical blank to the
    next.
    """

    profile: CycleProfile
    places: CodeLocations
    runs: int
    violation: ContractViolation | None
    cut: bool
    waits: tuple[Wait, ...] = ()
    frames: tuple[FrameLoad, ...] = ()


def measure_call(
    rom: Rom,
    routine: Target,
    *,
    registers: Mapping[str, int],
    flags: Mapping[str, int],
    mem: Mapping[Target, GivenValue],
    runs: int,
    limit: int,
    tick: Callable[[], None],
    accesses: bool = False,
) -> Measured:
    """Call ``routine`` ``runs`` times on one machine, whose memory persists.

    ``mem`` is written before the first call, registers are set before each.
    ``tick`` is called after each; ``accesses``: reads and writes are counted, too. Raises as
    Machine.call() does, except for broken contracts.
    """
    machine = rom.machine()
    profiler = _profiler_on(machine, rom, accesses)
    given: dict[str, Any] = dict(registers)
    violation: ContractViolation | None = None
    for run in range(runs):
        try:
            machine.call(
                routine,
                flags=flags,
                mem=mem if run == 0 else None,
                limit=limit,
                observer=profiler,
                **given,
            )
        except ContractViolation as broken:
            violation = violation or broken
        profiler.finish()
        tick()
    return _measured(profiler, machine.board, runs, violation)


def measure_frames(
    rom: Rom,
    frames: int,
    *,
    skip: int = 0,
    mem: Mapping[Target, GivenValue],
    tick: Callable[[], None],
    accesses: bool = False,
) -> Measured:
    """Let the program run from the machine's start: ``skip`` frames, then those that are measured.

    ``mem`` is written before; no button is pressed. A ROM for the Game Boy or the NES runs on one.
    Raises as Machine.run_frames() does, BoardError on a machine without a picture.
    """
    rom = with_own_machine(rom)
    machine = rom.machine()
    for target, value in mem.items():
        machine.write(target, value)
    profiler = _profiler_on(machine, rom, accesses=False)
    if skip:
        machine.run_frames(skip, observer=profiler)  # so that it knows who has called whom
        profiler.restart()
    if accesses:
        machine.tell_accesses(access_point(profiler, machine.board.peek))
    loads = FrameLoads(profiler, profiler.places, machine.board.name)
    for _ in range(frames):
        machine.run_frames(1, observer=profiler, on_blank=loads.begin_frame)
        tick()
    return replace(_measured(profiler, machine.board, frames), frames=tuple(loads.frames))


def _measured(
    profiler: Profiler,
    board: Board,
    runs: int,
    violation: ContractViolation | None = None,
    cut: bool = False,
) -> Measured:
    """What a profiler has seen on a board."""
    profile, places = profiler.profile(), profiler.places
    return Measured(profile, places, runs, violation, cut, find_waits(profile, places, board))


def with_own_machine(rom: Rom, checks: Mapping[str, str] | None = None) -> Rom:
    """A cartridge in flat memory as one of the machine that it is for, with ``checks``; other
    programs as they are."""
    kind = "gameboy" if rom.is_cartridge else "nes" if rom.is_ines else FLAT
    if rom.machine_name != FLAT or kind == FLAT:
        return rom
    return Rom(rom.image, rom.engine, machine=kind, checks=checks, model=rom.model)


def _profiler_on(machine: Machine, rom: Rom, accesses: bool) -> Profiler:
    """A profiler of what runs on a machine."""
    board = machine.board
    profiler = Profiler(places_on(board, rom.image, rom.loaded))
    profiler.watch(board)
    if accesses:
        machine.tell_accesses(access_point(profiler, board.peek))
    return profiler


def measure_program(
    rom: Rom,
    entry: Target,
    *,
    mem: Mapping[Target, GivenValue],
    limit: int,
    accesses: bool = False,
) -> Measured:
    """Run a program from ``entry`` until it halts, returns, or has used ``limit`` cycles.

    It halts in a jump to itself. A ROM for the Game Boy runs on one; see run_on_gameboy().
    Raises as that and as Machine.run_from() does.
    """
    if rom.is_cartridge:
        return _measure_gameboy(rom, entry, mem=mem, limit=limit, accesses=accesses)
    machine = rom.machine()
    profiler = _profiler_on(machine, rom, accesses)
    for target, value in mem.items():
        machine.write(target, value)
    stops = halts(rom.loaded)
    violation, cut = None, False
    try:
        _run_program(machine, entry, stops, limit, profiler)
    except ContractViolation as broken:
        violation = broken
    except Runaway:
        cut = True
    return _measured(profiler, machine.board, 1, violation, cut)


def _measure_gameboy(
    rom: Rom, entry: Target, *, mem: Mapping[Target, GivenValue], limit: int, accesses: bool
) -> Measured:
    machine = machine_of(rom)
    profiler = Profiler(places_of(rom, machine))
    if accesses:
        point = access_point(profiler, machine.memory.space.peek)
        machine.engine.instrument(Instruments(watch=(point,)))
    stops = halts(rom.image)
    ended = run_on_gameboy(rom, machine, entry, stops, mem=mem, limit=limit, observer=profiler)
    return _measured(profiler, GameBoyBoard.around(machine), 1, None, not ended)


def _run_program(
    machine: Machine, entry: Target, stops: tuple[int, ...], limit: int, profiler: Profiler
) -> None:
    if stops:
        machine.run_from(entry, stops, limit=limit, observer=profiler)
    else:
        machine.call(entry, limit=limit, observer=profiler)


def halts(image: Image) -> tuple[int, ...]:
    """The addresses of all instructions that jump to themselves, whatever the flags are."""
    cpu = abi_of(image.cpu).cpu
    addresses: list[int] = []
    for line in image.lines:
        instruction = decode(line.data, line.address, cpu) if line.is_code else None
        if instruction is not None and stays(instruction):
            addresses.append(line.address)
    return tuple(addresses)
