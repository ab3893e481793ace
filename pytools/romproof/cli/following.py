"""What ``romproof run`` shows besides the result: traces, breaks, accesses to variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from romproof.cli.naming import attribute_to
from romproof.cli.output import counting
from romproof.cli.tracing import TraceWriter, trace_file
from romproof.cli.values import TERMINAL
from romproof.harness.errors import CallError, CallRecord
from romproof.harness.finding import find_traced
from romproof.harness.replay.follow import Followed, FollowRequest, Visit, WatchedAccess, follow
from romproof.harness.replay.trace import TraceStep
from romproof.harness.rom import Rom
from romproof.harness.state.result import Result
from romproof.harness.state.values import Target, extent
from romproof.program.image import UnknownSymbol
from romproof.report.trace import (
    visit_json,
    visit_text,
    watch_json,
    watch_text,
)
from romproof.report.trace_formats import trace_format

if TYPE_CHECKING:
    from romproof.program.image import Image

MAX_BREAKS = 100
"""Visits that are shown."""

FollowedPlace = tuple[Target, int | None]


@dataclass(frozen=True, slots=True)
class FollowOptions:
    """The options, read: ``trace`` is the file, TERMINAL for stdout, None without a trace."""

    trace: str | None
    form: str | None
    only: Sequence[str]
    breaks: Sequence[Target]
    until: Sequence[Target]
    watch: Sequence[FollowedPlace]
    reads: Sequence[FollowedPlace]
    as_json: bool

    @property
    def is_requested(self) -> bool:
        """Whether the call is to be followed at all."""
        return bool(self.trace or self.breaks or self.until or self.watch)


@dataclass
class FollowReport:
    """What is seen, written out at once as text, or kept for a JSON object in ``keys``."""

    image: Image
    options: FollowOptions
    trace: TraceWriter
    keys: dict[str, Any] = field(default_factory=dict)
    visits: Counter[int] = field(default_factory=Counter)
    breaks: int = 0

    def step(self, step: TraceStep) -> None:
        """An instruction was executed."""
        self.trace.step(step.image or self.image, step)

    def visit(self, visit: Visit) -> None:
        """A break was reached."""
        self.visits[visit.address] += 1
        self.breaks += 1
        if self.breaks > MAX_BREAKS:
            self.keys["breaks_left_out"] = self.breaks - MAX_BREAKS
            return
        number, image = self.visits[visit.address], visit.image or self.image
        memory = read_of(self.image, visit.memory, self.options.reads)
        if self.options.as_json:
            self.keys["breaks"].append(visit_json(image, visit, number, memory))
        else:
            click.echo(visit_text(image, visit, number, memory) + "\n")

    def report_watch(self, watched: WatchedAccess) -> None:
        """A watched byte was read or written."""
        if self.options.as_json:
            self.keys["watched"].append(watch_json(self.image, watched))
        else:
            click.echo(watch_text(self.image, watched))


def read_of(image: Image, memory: bytes, reads: Sequence[FollowedPlace]) -> Mapping[str, bytes]:
    """What ``--read`` asks for, by the name that it is shown under."""

    def look(target: Target, size: int | None) -> bytes:
        address, count = extent(image, target, size)
        return memory[address : address + count]

    return read_places(look, reads)


def read_places(
    read: Callable[[Target, int | None], bytes], places: Sequence[FollowedPlace]
) -> Mapping[str, bytes]:
    """What ``read`` gives of some places, by the names that they are shown under."""
    shown: dict[str, bytes] = {}
    for target, size in places:
        name = target if isinstance(target, str) else f"${target:04X}"
        shown[name if size is None else f"{name}:{size}"] = read(target, size)
    return shown


def full_name(image: Image, target: Target) -> Target:
    """A label as the image has it: local ones may be given without what they are local to, if
    only one is called so. Raises UnknownSymbol."""
    if not isinstance(target, str) or any(symbol.name == target for symbol in image.symbols):
        return target
    short = target.lstrip("@.")
    meant = {
        symbol.name
        for symbol in image.symbols
        if symbol.is_label and re.split(r"::|[@.]", symbol.name)[-1] == short
    }
    if len(meant) > 1:
        names = ", ".join(sorted(meant))
        raise UnknownSymbol(f"'{target}' is ambiguous: write one of {names}")
    return meant.pop() if meant else target


def keys_of(options: FollowOptions) -> dict[str, Any]:
    """The keys that the JSON object has for what is followed, empty yet."""
    wanted = {
        "trace": options.trace == TERMINAL,
        "breaks": bool(options.breaks),
        "watched": bool(options.watch),
    }
    return {key: [] for key, asked in wanted.items() if asked}


def run_following(
    rom: Rom, call: Callable[[], Result], options: FollowOptions, keys: dict[str, Any]
) -> Result:
    """Make a call and follow it; ``keys`` gets what JSON has of it.

    It is made first as ever, with all checks; then again, instruction by instruction. What went
    wrong is raised when all is shown. With ``until`` the result is the state there, and what went
    wrong afterwards does not matter. Raises as Rom.call() does.
    """
    image = rom.image
    with attribute_to("--break"):
        breaks, homes = rom.places([full_name(image, target) for target in options.breaks])
    with attribute_to("--until"):
        until, more = rom.places([full_name(image, target) for target in options.until])
    with attribute_to("--watch"):
        watched = [(full_name(image, target), size) for target, size in options.watch]
        extents = [extent(image, target, size) for target, size in watched]
        _, in_banks = rom.places([target for target, _ in watched])
    with attribute_to("--trace-only"):
        places = find_traced(rom.machine(), options.only)
    form = trace_format(image.cpu, rom.machine_name, options.form)
    image = rom.loaded
    error: CallError | None = None
    result: Result | None = None
    try:
        result = call()
        record = rom.last_call
    except CallError as fault:
        error, record = fault, fault.record
    assert record is not None, "a call was made, which is noted"
    with trace_file(options.trace) as write, counting("following", _cycles(result, record)) as tick:
        writer = TraceWriter(form, options.as_json, write, keys)
        report = FollowReport(image, options, writer, keys)
        followed = follow(
            record.scenario,
            FollowRequest(
                step=report.step if options.trace is not None else None,
                look=form.look,
                places=places,
                stops=breaks,
                visit=report.visit,
                until=until,
                watch=[address + at for address, size in extents for at in range(size)],
                watched=report.report_watch,
                tick=tick,
                homes=homes,
                homes_of_until=more,
                homes_of_watched={
                    address + at: in_banks[address]
                    for address, size in extents
                    if address in in_banks
                    for at in range(size)
                },
            ),
        )
    if "breaks_left_out" in keys and not options.as_json:
        click.echo(f"… and {keys['breaks_left_out']:,} more breaks\n")
    if followed.reached is not None:
        return _so_far(rom, record, followed)
    if error is not None:
        raise error
    assert result is not None, "without an error there is one"
    if until:
        names = ", ".join(str(target) for target in options.until)
        click.echo(f"the call returned without reaching {names}", err=True)
    return result


def _cycles(result: Result | None, record: CallRecord) -> int:
    return result.cycles if result is not None else record.scenario.limit


def _so_far(rom: Rom, record: CallRecord, followed: Followed) -> Result:
    """The state at the place where a call was stopped, as a result."""
    scenario, trace = record.scenario, followed.trace
    return Result(
        name=scenario.name,
        registers=trace.registers,
        cycles=trace.cycles,
        instructions=trace.instructions,
        stack=scenario.abi.stack_of(scenario.registers) - followed.lowest_s,
        lowest_s=followed.lowest_s,
        before=scenario.memory,
        after=followed.memory,
        image=rom.image,
    )
