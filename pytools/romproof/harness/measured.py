"""Running code under the profiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from romproof.harness.errors import ContractViolation, Runaway
from romproof.harness.gameboy import run_on_gameboy
from romproof.harness.machine import Machine
from romproof.harness.rom import Rom
from romproof.harness.values import Target, Value
from romproof.isa.abi import abi_of
from romproof.isa.codec import decode
from romproof.isa.flow import Flow
from romproof.measure.model import Profile
from romproof.measure.profile import Profiler
from romproof.obj.image import Image


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
    machine, profiler = rom.machine(), Profiler(rom.loaded)
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
    return Measured(profiler.profile(), runs, violation, False)


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
    profiler = Profiler(rom.loaded)
    if rom.is_cartridge:
        stops = halts(rom.loaded)
        ended = run_on_gameboy(rom, entry, stops, mem=mem, limit=limit, observer=profiler)
        return Measured(profiler.profile(), 1, None, not ended)
    machine = rom.machine()
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
    return Measured(profiler.profile(), 1, violation, cut)


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
    found: list[int] = []
    for line in image.lines:
        instruction = decode(line.data, line.address, cpu) if line.is_code else None
        if instruction is None:
            continue
        opcode = instruction.opcode
        # the target of an indirect jump is not the address that its operand names
        to_itself = instruction.target == line.address and "(" not in opcode.mode
        if opcode.flow is Flow.JUMP and to_itself:
            found.append(line.address)
    return tuple(found)
