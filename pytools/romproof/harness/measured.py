"""Running code under the profiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.gameboy import machine_of, places_of, run_on_gameboy, stays
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.harness.values import BadValue, Target, Value
from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.measure.model import Profile
from romproof.measure.places import Places
from romproof.measure.profile import Profiler
from romproof.program.image import Image


@dataclass(frozen=True, slots=True)
class Measured:
    """``profile`` of ``runs`` executions.

    ``places`` are where its code stands. ``violation`` is the first broken contract, None when
    all were kept; ``cut`` is True when the cycle limit ended a program that had not halted.
    """

    profile: Profile
    places: Places
    runs: int
    violation: ContractViolation | None
    cut: bool


def measure_call(
    rom: Rom,
    routine: Target,
    *,
    registers: Mapping[str, int],
    flags: Mapping[str, int],
    mem: Mapping[Target, Value],
    runs: int,
    limit: int,
    tick: Callable[[], None],
) -> Measured:
    """Call ``routine`` ``runs`` times on one machine, whose memory persists.

    ``mem`` is written before the first call, registers are set before each.
    ``tick`` is called after each. Raises as Machine.call() does, except for
    broken contracts, and BadValue for calls that show other banks than those at the start.
    """
    machine, places = rom.machine(), Places(rom.loaded)
    profiler = Profiler(places)
    shown: set[tuple[int, ...]] = set()
    code = [index for index, window in enumerate(machine.board.windows) if window.kind != "SRAM"]
    machine.board.tell_banks(lambda _, banks: shown.add(tuple(banks[index] for index in code)))
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
        if len(shown) > 1:
            raise BadValue(
                "the call shows other banks than those at the start, and a profile of calls knows "
                'only these: it would name other lines; say machine = "flat" and banks'
            )
        profiler.finish()
        tick()
    return Measured(profiler.profile(), places, runs, violation, False)


def measure_program(
    rom: Rom,
    entry: Target,
    *,
    mem: Mapping[Target, Value],
    limit: int,
) -> Measured:
    """Run a program from ``entry`` until it halts, returns, or has used ``limit`` cycles.

    It halts in a jump to itself. A ROM for the Game Boy runs on one; see run_on_gameboy().
    Raises as that and as Machine.run_from() does.
    """
    if rom.is_cartridge:
        return _measure_gameboy(rom, entry, mem=mem, limit=limit)
    places = Places(rom.loaded)
    profiler, machine = Profiler(places), rom.machine()
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
    return Measured(profiler.profile(), places, 1, violation, cut)


def _measure_gameboy(
    rom: Rom, entry: Target, *, mem: Mapping[Target, Value], limit: int
) -> Measured:
    machine = machine_of(rom)
    places = places_of(rom, machine)
    profiler = Profiler(places)
    stops = halts(rom.image)
    ended = run_on_gameboy(rom, machine, entry, stops, mem=mem, limit=limit, observer=profiler)
    return Measured(profiler.profile(), places, 1, None, not ended)


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
