"""What ``romproof run --frames`` does between its options and its report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from romproof.cli.following import read_places
from romproof.cli.naming import attribute_to, check_memory
from romproof.cli.stating import check_state_file, read_state, write_state
from romproof.cli.tracing import TraceWriter, trace_file
from romproof.harness.built import rom_of
from romproof.harness.errors import CallError
from romproof.harness.finding import find_traced
from romproof.harness.listeners.stepping import InstructionSteps
from romproof.harness.machine import Machine
from romproof.harness.measured import with_own_machine
from romproof.harness.replay.trace import TraceStep
from romproof.harness.rom import Rom
from romproof.harness.state.values import Target
from romproof.isa.abi import abi_of
from romproof.projects import Built
from romproof.report.frames import FramesReport
from romproof.report.trace_formats import default_of_frames, trace_format


@dataclass(frozen=True, slots=True)
class FramesOptions:
    """The options of a run of frames, read: ``trace`` is the file, TERMINAL for stdout, None
    without a trace; ``start`` and ``state`` are files."""

    title: str
    frames: int
    start: str | None
    state: str | None
    memory: Mapping[Target, bytes]
    reads: Sequence[tuple[Target, int | None]]
    trace: str | None
    form: str | None
    only: Sequence[str]
    as_json: bool


def program_of_frames(built: Built, engine: str, checks: Mapping[str, str]) -> Rom:
    """The program on the machine that it is for. Raises what Rom raises."""
    rom = rom_of(built, engine, checks=checks)
    return with_own_machine(rom, {**dict(built.manifest.checks), **checks})


def run_frames(
    rom: Rom, options: FramesOptions, keys: dict[str, Any], tick: Callable[[], None]
) -> FramesReport:
    """Let a program run for some frames; ``keys`` gets what JSON has of its trace.

    The trace has what was executed up to a fault, which is raised then; the state is written only
    after all frames. Raises BadParameter, BadInput, OSError, and what Machine.run_frames() does.
    """
    check_memory(rom, options.memory.items(), options.reads)
    check_state_file(options.state)
    machine = rom.machine()
    machine.board.frame_end()  # raises where there is no picture
    if options.start is not None:
        read_state(options.start, machine)
    for target, value in options.memory.items():
        machine.write(target, value)
    begun = machine.cycles
    _run(machine, rom, options, keys, tick)
    if options.state is not None:
        write_state(options.state, machine)
    board = machine.board
    return FramesReport(
        rom=options.title,
        machine=board.name,
        abi=abi_of(rom.image.cpu),
        frames=options.frames,
        cycles=machine.cycles - begun,
        registers=board.engine.registers.copy(),
        beam=board.beam(),
        memory=read_places(machine.read, options.reads),
        state=options.state,
        traced=keys,
    )


def _run(
    machine: Machine,
    rom: Rom,
    options: FramesOptions,
    keys: dict[str, Any],
    tick: Callable[[], None],
) -> None:
    if options.trace is None:
        for _ in range(options.frames):
            machine.run_frames(1)
            tick()
        return
    board, cpu = machine.board, rom.image.cpu
    form = trace_format(cpu, board.name, options.form or default_of_frames(board.name))
    with attribute_to("--trace-only"):
        places = find_traced(rom.machine(), options.only)
    fault: CallError | None = None
    with trace_file(options.trace) as write:
        writer = TraceWriter(form, options.as_json, write, keys, with_accesses=False)

        def step(step: TraceStep) -> None:
            writer.step(step.image or rom.image, step)

        steps = InstructionSteps(board, lambda: machine.in_sight, step, form.look(board), places)
        try:
            for _ in range(options.frames):
                machine.run_frames(1, observer=steps)
                tick()
        except CallError as ended:
            fault = ended
    if fault is not None:
        raise fault
