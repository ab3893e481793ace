"""Running code under the profiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.harness.values import Target, Value
from romproof.isa.codec import encode, encodings
from romproof.measure.model import Profile
from romproof.measure.profile import Profiler
from romproof.obj.image import Image

_JMP = encodings()["jmp"]["a16"]


@dataclass(frozen=True, slots=True)
class Measured:
    """``profile`` of ``runs`` executions.

    ``violation`` is the first broken contract, None when all were kept;
    ``cut`` is True when the cycle limit ended a program that had not halted.
    """

    profile: Profile
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
    broken contracts.
    """
    machine, profiler = rom.machine(), Profiler(rom.image)
    violation: ContractViolation | None = None
    for run in range(runs):
        try:
            machine.call(
                routine,
                a=registers.get("a"),
                x=registers.get("x"),
                y=registers.get("y"),
                flags=flags,
                mem=mem if run == 0 else None,
                limit=limit,
                observer=profiler,
            )
        except ContractViolation as broken:
            violation = violation or broken
        profiler.finish()
        tick()
    return Measured(profiler.profile(), runs, violation, False)


def measure_program(
    rom: Rom,
    entry: Target,
    *,
    mem: Mapping[Target, Value],
    limit: int,
) -> Measured:
    """Run a program from ``entry`` until it halts, returns, or has used ``limit`` cycles.

    A program halts in a ``jmp`` to itself. Raises as Machine.run_from() does.
    """
    machine, profiler = rom.machine(), Profiler(rom.image)
    for target, value in mem.items():
        machine.write(target, value)
    stops = halts(rom.image)
    violation, cut = None, False
    try:
        _run_program(machine, entry, stops, limit, profiler)
    except ContractViolation as broken:
        violation = broken
    except Runaway:
        cut = True
    return Measured(profiler.profile(), 1, violation, cut)


def _run_program(
    machine: Machine, entry: Target, stops: tuple[int, ...], limit: int, profiler: Profiler
) -> None:
    if stops:
        machine.run_from(entry, stops, limit=limit, observer=profiler)
    else:
        machine.call(entry, limit=limit, observer=profiler)


def halts(image: Image) -> tuple[int, ...]:
    """The addresses of all ``jmp`` instructions that jump to themselves."""
    return tuple(
        line.address
        for line in image.lines
        if line.is_code and line.data == encode(_JMP, line.address)
    )
