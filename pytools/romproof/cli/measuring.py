"""What ``romproof report`` does between its options and its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from romproof.cli.naming import check_call, check_memory
from romproof.cli.values import registers_and_flags
from romproof.engine.engines import ENGINES
from romproof.harness.built import rom_of
from romproof.harness.measured import Measured, measure_call, measure_frames, measure_program
from romproof.isa.abi import abi_of
from romproof.measure.recorded import record_profile
from romproof.program.clocks import find_clock
from romproof.projects import Built
from romproof.report.cycles import CycleReport, CyclesHeader, cycle_report
from romproof.text.errors import RomproofError


class NoEntry(RomproofError):
    """The manifest does not say where the program begins."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options of ``romproof report``, read."""

    symbol: str | int | None
    memory: Mapping[str | int, bytes]
    repeat: int
    clock: str | None
    lines: int
    limit: int
    engine: str
    registers: Sequence[tuple[str, int]] = ()
    frames: int = 0
    skip: int = 0
    accesses: bool = False


def measure(
    built: Built, wanted: ReportOptions, tick: Callable[[], None]
) -> tuple[CycleReport, Measured]:
    """Run what is wanted and make the report on it.

    Raises BadParameter for names that the program does not have, NoEntry, and what calls raise.
    """
    manifest, image = built.manifest, built.image
    rom = rom_of(built, wanted.engine)
    if wanted.symbol is not None:
        check_call(rom, wanted.symbol)
    check_memory(rom, wanted.memory.items())
    entry: str | int | None = wanted.symbol if wanted.symbol is not None else manifest.entry
    if entry is None:
        entry = abi_of(image.cpu).entry
    if wanted.frames:
        entry = "power-on" if not wanted.skip else f"after {wanted.skip:,} frames"
    if entry is None:
        raise NoEntry(f"the manifest of '{manifest.name}' names no entry; use --call SYMBOL")
    registers, flags = registers_and_flags(wanted.registers, image.cpu)
    if wanted.frames:
        measured = measure_frames(
            rom,
            wanted.frames,
            skip=wanted.skip,
            mem=wanted.memory,
            tick=tick,
            accesses=wanted.accesses,
        )
    elif wanted.symbol is None:
        measured = measure_program(
            rom, entry, mem=wanted.memory, limit=wanted.limit, accesses=wanted.accesses
        )
    else:
        measured = measure_call(
            rom,
            entry,
            registers=registers,
            flags=flags,
            mem=wanted.memory,
            runs=wanted.repeat,
            limit=wanted.limit,
            tick=tick,
            accesses=wanted.accesses,
        )
    header = CyclesHeader(
        rom=manifest.name,
        cpu=image.cpu,
        engine=ENGINES[rom.engine].when_watched or rom.engine,
        clock=find_clock(wanted.clock or manifest.clock_name),
        entry=entry if isinstance(entry, str) else image.describe(entry),
        runs=measured.runs,
        unit="frames" if wanted.frames else "calls",
    )
    what = header.entry if header.runs == 1 else f"{header.entry}, {header.runs:,} {header.unit}"
    kept = record_profile(
        manifest.name,
        what,
        header.runs,
        measured.profile,
        measured.places,
        measured.waits,
        measured.frames,
    )
    return cycle_report(header, kept, rom.contracts, kept.lines[: wanted.lines]), measured
