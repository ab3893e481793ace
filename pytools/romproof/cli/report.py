"""``romproof report``: where the cycles of a ROM or a routine go."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from romproof.cli.foreign import foreign_options
from romproof.cli.options import json_option, limit_option, memory_option, registers_option
from romproof.cli.output import error, failures_as_json, progress, reporter, waiting
from romproof.cli.project import RoutineArgument, build_one, engine_option, rom_argument
from romproof.cli.strict import strict_option
from romproof.cli.values import (
    MAX_FRAMES,
    LazyChoice,
    Number,
    clocks,
)

if TYPE_CHECKING:
    from romproof.measure.recorded import RecordedProfile

_FORMATS = {
    "callgrind": "Write the profile for KCachegrind and callgrind_annotate.",
    "speedscope": "Write the profile for speedscope.",
    "collapsed": "Write the profile as collapsed stacks, for flamegraph.pl.",
    "html": "Write the profile as an HTML page: flame graph, source lines, memory map.",
}


def profile_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name files; the command gets ``files``, by format."""

    @functools.wraps(command)
    def with_files(*args: Any, **values: Any) -> Any:
        named = {name: values.pop(f"{name}_file") for name in _FORMATS}
        files = {name: path for name, path in named.items() if path is not None}
        return command(*args, files=files, **values)

    for name, text in reversed(_FORMATS.items()):
        option = click.option(f"--{name}", f"{name}_file", type=click.Path(), help=text)
        with_files = option(with_files)
    return with_files


def write_profiles(files: Mapping[str, str], programs: Sequence[RecordedProfile]) -> None:
    """Write profiles into files. Raises OSError."""
    if not files:
        return
    from romproof.report.profiles.files import text_of
    from romproof.support.files import write_atomically

    texts = {path: text_of(name, programs) for name, path in files.items()}
    for path, text in texts.items():
        write_atomically(Path(path), text)


@click.command(short_help="Show where the cycles go.")
@rom_argument
@click.option(
    "--call",
    "symbol",
    type=RoutineArgument(),
    help="The routine to call; without it the ROM runs from its entry.",
)
@registers_option("each")
@click.option(
    "--frames",
    type=Number(0, MAX_FRAMES),
    default=0,
    metavar="N",
    help="Run the program on its machine for this many frames, from power-on.",
)
@click.option(
    "--skip",
    type=Number(0, MAX_FRAMES),
    default=0,
    metavar="N",
    help="With --frames: run this many frames first without counting them.",
)
@memory_option("the first")
@click.option(
    "--repeat",
    type=Number(1, 1_000_000),
    default=1,
    show_default=True,
    help="Call the routine this many times; memory persists between calls.",
)
@click.option(
    "--clock",
    type=LazyChoice("clock", clocks),
    help="Show times for the clock and frame of this machine.",
)
@click.option(
    "--lines",
    type=Number(0, 10_000),
    default=5,
    show_default=True,
    help="Number of costliest source lines to show.",
)
@limit_option()
@profile_options
@foreign_options
@engine_option
@strict_option
@json_option("report")
def report(
    name: str,
    symbol: str | int | None,
    registers: tuple[tuple[str, int], ...],
    memory: tuple[tuple[str | int, bytes], ...],
    repeat: int,
    clock: str | None,
    lines: int,
    limit: int,
    frames: int,
    skip: int,
    files: Mapping[str, str],
    engine: str,
    as_json: bool,
) -> None:
    """Build the ROM NAME, run it or one routine, and show where the cycles go.
    NAME may be left out where the project has one ROM.

    "self" is a routine's own cycles, "total" includes its callees; min,
    mean and max are for one call, "frame" is the longest one as a share of a
    video frame, "claim" the cycles in its contract. A violated
    contract is reported at the end, and the exit code is 1. Rows in parentheses
    are cycles of the machine: DMA, and the time the CPU spends in HALT.
    "waiting" are loops that do nothing until an interrupt or the hardware
    changes what they read; the rest is how full a frame is.

    \b
    Examples:
      romproof report demo
      romproof report demo --call shuffle --repeat 100 --clock nes-ntsc
      romproof report demo --call next_byte --mem lfsr=12345678 --json
      romproof report game --frames 60 --html profile.html
      romproof report build/game.nes --symbols build/game.dbg --call move_player
    """
    from romproof.cli.measuring import ReportOptions, measure

    wanted = ReportOptions(
        symbol=symbol,
        registers=registers,
        memory=dict(memory),
        repeat=repeat,
        clock=clock,
        lines=lines,
        limit=limit,
        engine=engine,
        frames=frames,
        skip=skip,
        accesses="html" in files,
    )
    if symbol is None and (repeat > 1 or registers):
        raise click.UsageError("--repeat and --reg need a routine: add --call SYMBOL")
    if symbol is not None and frames:
        raise click.UsageError(
            "--frames runs the whole program, --call one routine: use only one of them"
        )
    if skip and not frames:
        raise click.UsageError(
            "--skip needs --frames N: the frames to count after the skipped ones"
        )
    with failures_as_json("report", as_json):
        built = build_one(name)
        steps = frames or repeat
        alone = waiting("running") if steps == 1 else nullcontext()
        with alone, progress("running" if frames else "calling", steps) as tick:
            shown, measured = measure(built, wanted, tick)
        write_profiles(files, [shown.recorded])
    click.echo(reporter(as_json).cycles(shown), nl=False, color=True)
    if measured.cut:
        click.echo(
            f"stopped after {limit:,} {shown.header.abi.cycles}; --limit allows more", err=True
        )
    if measured.violation is not None:
        error(measured.violation.summary)
    if measured.violation is not None or shown.broken:
        click.get_current_context().exit(1)
