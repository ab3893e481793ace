"""``romproof run``: call one routine of a ROM, or let its program run for some frames."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from romproof.cli.foreign import foreign_options
from romproof.cli.options import json_option, limit_option, memory_option, registers_option
from romproof.cli.output import failures_as_json, progress, reporter
from romproof.cli.project import RoutineArgument, build_one, engine_option, rom_argument
from romproof.cli.strict import strict_option
from romproof.cli.values import (
    MAX_FRAMES,
    TERMINAL,
    CheckLevel,
    ExtentArgument,
    LazyChoice,
    Number,
    PlaceArgument,
    trace_formats,
)

_LIMIT = 1_000_000


class _TraceCommand(click.Command):
    """A command whose ``--trace`` takes a file only behind ``=``: what follows it may be NAME."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        given = [f"{arg}={TERMINAL}" if arg == "--trace" else arg for arg in args[:end]]
        return super().parse_args(ctx, [*given, *args[end:]])


@click.command(cls=_TraceCommand, short_help="Call one routine of a ROM, or run its program.")
@rom_argument
@click.option("--call", "symbol", type=RoutineArgument(), help="The routine to call.")
@click.option(
    "--frames",
    type=Number(1, MAX_FRAMES),
    metavar="N",
    help="Run the program on its machine for this many frames, from power-on or from --from.",
)
@click.option(
    "--from",
    "start",
    metavar="STATE",
    type=click.Path(exists=True, dir_okay=False),
    help="Begin with the state in this file, which --state wrote.",
)
@click.option(
    "--state",
    metavar="OUT",
    type=click.Path(dir_okay=False),
    help="Write the machine's state at the end to this file, for --from and machine.restore().",
)
@registers_option("the")
@memory_option("the")
@click.option(
    "--read", "reads", multiple=True, type=ExtentArgument(), help="Show this memory after the call."
)
@click.option(
    "--trace",
    metavar="[=FILE]",
    help="Print every instruction; see --trace-format.",
)
@click.option(
    "--trace-format",
    "form",
    type=LazyChoice("trace format", trace_formats),
    metavar="[mesen|nestest|gameboy-doctor]",
    help="Lines as the trace logger of Mesen 2 (NES, Game Boy), nestest.log (6502) or "
    "gameboy-doctor (SM83) has them. With --frames mesen is the default where it can be, with "
    "--call the log of the CPU.",
)
@click.option(
    "--trace-only",
    "only",
    multiple=True,
    metavar="WHAT",
    help="Trace only a bank (ROMX[2], PRG[3]), a range of addresses ($C000-$C0FF) or a routine; "
    "several add up.",
)
@click.option(
    "--break",
    "breaks",
    multiple=True,
    metavar="LABEL",
    type=PlaceArgument(),
    help="Show the state each time execution reaches this address, and go on.",
)
@click.option(
    "--until",
    multiple=True,
    metavar="LABEL",
    type=PlaceArgument(),
    help="End the call at this address, and show its effects so far.",
)
@click.option(
    "--watch",
    multiple=True,
    metavar="NAME[:SIZE]",
    type=ExtentArgument(),
    help="Print the reads and writes of this memory, in order.",
)
@click.option(
    "--check",
    "checks",
    multiple=True,
    type=CheckLevel(),
    help="Set a check to NAME=off, warn or error, with NAME one of rom_writes, stray_writes, "
    "uninitialised, stack, indirect_jump, data_execution, video.",
)
@limit_option(_LIMIT, "the call")
@foreign_options
@engine_option
@strict_option
@json_option()
def run(
    name: str,
    symbol: str | int | None,
    frames: int | None,
    start: str | None,
    state: str | None,
    registers: tuple[tuple[str, int], ...],
    memory: tuple[tuple[str | int, bytes], ...],
    reads: tuple[tuple[str | int, int | None], ...],
    trace: str | None,
    form: str | None,
    only: tuple[str, ...],
    breaks: tuple[str | int, ...],
    until: tuple[str | int, ...],
    watch: tuple[tuple[str | int, int | None], ...],
    checks: tuple[tuple[str, str], ...],
    limit: int,
    engine: str,
    as_json: bool,
) -> None:
    """Build the ROM NAME, and call a routine (--call) or run its program (--frames);
    show the effects. NAME may be the path of an image that another build system
    made; it may be left out where the project has one ROM.

    With --frames the program runs as after power-on, and no button is pressed; no
    contract is checked. --state writes all of the machine to a file, with which
    --from, of either kind of run, begins; the file fits this program alone.

    Registers that are not set hold arbitrary but fixed values. The contract
    above the routine is checked. The output of --trace, --break and --watch comes
    in the order of execution, before the result; registers in a trace
    are those before the instruction. With --json the result is one object:
    symbol, registers {a, x, y, s, p}, flags {n, v, d, i, z, c} (SM83: {a, b,
    c, d, e, h, l, sp, f} and {z, n, h, c}), cycles, instructions, stack,
    changed [{address, symbol, old, new}], memory {symbol: hex}, and trace,
    breaks and watched with these options; a FILE then has an object in each line.
    With --frames it has rom, machine, frames, cycles, registers, beam {line, dot},
    memory, state, and trace.

    \b
    Examples:
      romproof run demo --call next_byte --mem lfsr=12345678 --read lfsr
      romproof run demo --call add --reg a=2 --reg x=0x0C --reg c=0 --json
      romproof run demo --call fill --read screen:40 --limit 20000
      romproof run demo-gb --call fill --reg hl=0xC000 --reg bc=20 --reg cf=0
      romproof run demo --call shuffle --trace=shuffle.log --until shuffle@done
      romproof run demo --call next_byte --break step --watch lfsr --watch deck:78
      romproof run demo --call shuffle --check stray_writes=error --check stack=warn
      romproof run game --frames 60 --state title.state --read lives
      romproof run game --frames 2 --from title.state --trace=mesen.log
      romproof run game --frames 2 --trace --trace-only ROMX[2] --trace-only move_player
      romproof run game --frames 1 --trace=cpu.log --trace-format gameboy-doctor
      romproof run game --call move_player --from title.state --read player:4
      romproof run build/game.nes --symbols build/game.dbg --call init_player
    """
    _check_options(click.get_current_context())
    if frames is not None:
        _run_frames(
            name, frames, engine, dict(checks),
            start=start, state=state, memory=dict(memory), reads=reads, trace=trace, form=form,
            only=only, as_json=as_json,
        )  # fmt: skip
        return
    from romproof.cli.calling import CallOptions, run_call
    from romproof.cli.following import FollowOptions, keys_of

    assert symbol is not None, "one of --call and --frames was given"
    follow = FollowOptions(trace, form, only, breaks, until, watch, reads, as_json)
    wanted = CallOptions(symbol, registers, dict(memory), limit, start, state, dict(checks), follow)
    keys = keys_of(follow)
    with failures_as_json("run", as_json, **keys):
        shown = run_call(build_one(name), engine, wanted, keys)
    click.echo(reporter(as_json).call(shown), nl=False, color=True)


def _run_frames(
    name: str, frames: int, engine: str, checks: dict[str, str], *, as_json: bool, **options: Any
) -> None:
    from romproof.cli.frames import FramesOptions, program_of_frames, run_frames
    from romproof.cli.tracing import trace_keys

    keys = trace_keys(options["trace"], as_json)
    with failures_as_json("run", as_json, **keys):
        built = build_one(name)
        rom = program_of_frames(built, engine, checks)
        title = built.manifest.name
        wanted = FramesOptions(title=title, frames=frames, as_json=as_json, **options)
        with progress("running", frames) as tick:
            shown = run_frames(rom, wanted, keys, tick)
    click.echo(reporter(as_json).frames(shown), nl=False, color=True)


_OF_CALLS = {"registers": "--reg", "breaks": "--break", "until": "--until", "watch": "--watch"}


def _check_options(ctx: click.Context) -> None:
    """That the options belong together. Raises UsageError."""
    given = ctx.params
    frames, called = given["frames"] is not None, given["symbol"] is not None
    if frames == called:
        raise click.UsageError(
            "give --call SYMBOL for one routine, or --frames N for the whole program"
            + (", not both" if called else "")
        )
    if frames:
        alone = [option for name, option in _OF_CALLS.items() if given[name]]
        if ctx.get_parameter_source("limit") is ParameterSource.COMMANDLINE:
            alone.append("--limit")
        if alone:
            raise click.UsageError(f"{', '.join(alone)}: of one routine; add --call SYMBOL")
    if given["state"] is not None and given["until"]:
        raise click.UsageError("--state has the state after the call, --until ends it: use one")
    if given["trace"] is None and (given["form"] is not None or given["only"]):
        raise click.UsageError("--trace-format and --trace-only need --trace")
    if given["state"] == TERMINAL:
        raise click.UsageError("--state needs a file: a state is no text")
    if given["trace"] == given["state"] is not None:
        raise click.UsageError("--trace and --state name the same file: give two names")
    if given["as_json"] and given["form"] is not None:
        raise click.UsageError("--trace-format is for text; with --json a trace is JSON")
