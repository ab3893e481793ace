"""``romproof run``: call one routine of a ROM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from romproof.cli.foreign import foreign_options
from romproof.cli.options import json_option, limit_option, memory_option, registers_option
from romproof.cli.output import failures_as_json, reporter, waiting
from romproof.cli.project import RoutineArgument, build_one, engine_option, rom_argument
from romproof.cli.strict import strict_option
from romproof.cli.values import (
    TERMINAL,
    CheckLevel,
    ExtentArgument,
    PlaceArgument,
    registers_and_flags,
)

if TYPE_CHECKING:
    from romproof.harness.state.result import Result

_LIMIT = 1_000_000


class _TraceCommand(click.Command):
    """A command whose ``--trace`` takes a file only behind ``=``: what follows it may be NAME."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        given = [f"{arg}={TERMINAL}" if arg == "--trace" else arg for arg in args[:end]]
        return super().parse_args(ctx, [*given, *args[end:]])


@click.command(cls=_TraceCommand, short_help="Call one routine of a ROM.")
@rom_argument
@click.option(
    "--call", "symbol", required=True, type=RoutineArgument(), help="The routine to call."
)
@registers_option("the")
@memory_option("the")
@click.option(
    "--read", "reads", multiple=True, type=ExtentArgument(), help="Show this memory after the call."
)
@click.option(
    "--trace",
    metavar="[=FILE]",
    help="Print every instruction, in the format of nestest.log (6502) or gameboy-doctor (SM83).",
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
    symbol: str | int,
    registers: tuple[tuple[str, int], ...],
    memory: tuple[tuple[str | int, bytes], ...],
    reads: tuple[tuple[str | int, int | None], ...],
    trace: str | None,
    breaks: tuple[str | int, ...],
    until: tuple[str | int, ...],
    watch: tuple[tuple[str | int, int | None], ...],
    checks: tuple[tuple[str, str], ...],
    limit: int,
    engine: str,
    as_json: bool,
) -> None:
    """Build the ROM NAME, call a routine, and show its effects. NAME may be
    the path of an image that another build system made; it may be left out where
    the project has one ROM.

    Registers that are not set hold arbitrary but fixed values. The contract
    above the routine is checked. The output of --trace, --break and --watch comes
    in the order of execution, before the result; registers in a trace
    are those before the instruction. With --json the result is one object:
    symbol, registers {a, x, y, s, p}, flags {n, v, d, i, z, c} (SM83: {a, b,
    c, d, e, h, l, sp, f} and {z, n, h, c}), cycles, instructions, stack,
    changed [{address, symbol, old, new}], memory {symbol: hex}, and trace,
    breaks and watched with these options; a FILE then has an object in each line.

    \b
    Examples:
      romproof run demo --call next_byte --mem lfsr=12345678 --read lfsr
      romproof run demo --call add --reg a=2 --reg x=0x0C --reg c=0 --json
      romproof run demo --call fill --read screen:40 --limit 20000
      romproof run demo-gb --call fill --reg hl=0xC000 --reg bc=20 --reg cf=0
      romproof run demo --call shuffle --trace=shuffle.log --until shuffle@done
      romproof run demo --call next_byte --break step --watch lfsr --watch deck:78
      romproof run demo --call shuffle --check stray_writes=error --check stack=warn
      romproof run build/game.nes --symbols build/game.dbg --call init_player
    """
    from romproof.cli.following import FollowOptions, keys_of, read_of, run_following
    from romproof.cli.naming import check_call, check_memory
    from romproof.harness.built import rom_of
    from romproof.report.call import call_report

    options = FollowOptions(trace, breaks, until, watch, reads, as_json)
    keys = keys_of(options)
    with failures_as_json("run", as_json, **keys):
        built = build_one(name)
        rom = rom_of(built, engine, checks=dict(checks))
        check_call(rom, symbol)
        check_memory(rom, memory, reads)
        given, flags = registers_and_flags(registers, built.image.cpu)

        def call() -> Result:
            with waiting("running"):
                return rom.call(symbol, flags=flags, mem=dict(memory), limit=limit, **given)

        result = run_following(rom, call, options, keys) if options.is_requested else call()
        shown = read_of(result.image, result.after, reads)
    click.echo(reporter(as_json).call(call_report(result, shown, keys)), nl=False, color=True)
