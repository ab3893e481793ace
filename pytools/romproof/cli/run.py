"""``romproof run``: call one routine of a ROM."""

from __future__ import annotations

import click

from romproof.cli.output import failures_as_json, reporter, waiting
from romproof.cli.project import ROM, Routine, build_one, engine_option
from romproof.cli.values import (
    MOST_CYCLES,
    Bytes,
    Extent,
    Number,
    Register,
    registers_and_flags,
)

_LIMIT = 1_000_000


@click.command(short_help="Call one routine of a ROM.")
@click.argument("name", type=ROM)
@click.option("--call", "symbol", required=True, type=Routine(), help="The routine to call.")
@click.option(
    "--reg",
    "registers",
    multiple=True,
    type=Register(),
    help="A register or flag before the call: a=1, x=0x0C, c=1; SM83: hl=0xC000, cf=1.",
)
@click.option(
    "--mem",
    "memory",
    multiple=True,
    type=Bytes(),
    help="Memory before the call: bytes in the order of their addresses.",
)
@click.option(
    "--read", "reads", multiple=True, type=Extent(), help="Show this memory after the call."
)
@click.option(
    "--limit",
    type=Number(1, MOST_CYCLES),
    default=_LIMIT,
    show_default=True,
    help="Cycles after which the call is given up.",
)
@engine_option
@click.option("--json", "as_json", is_flag=True, help="The result as JSON (docs/json.md).")
def run(
    name: str,
    symbol: str | int,
    registers: tuple[tuple[str, int], ...],
    memory: tuple[tuple[str | int, bytes], ...],
    reads: tuple[tuple[str | int, int | None], ...],
    limit: int,
    engine: str,
    as_json: bool,
) -> None:
    """Build the ROM NAME, call a routine, and show what it did.

    Registers that are not set hold arbitrary but fixed values. The contract
    above the routine is checked. With --json the result is one object:
    symbol, registers {a, x, y, s, p}, flags {n, v, d, i, z, c} (SM83: {a, b,
    c, d, e, h, l, sp, f} and {z, n, h, c}), cycles, instructions, stack,
    changed [{address, symbol, old, new}], memory {symbol: hex}.

    \b
    Examples:
      romproof run demo --call next_byte --mem lfsr=12345678 --read lfsr
      romproof run demo --call add --reg a=2 --reg x=0x0C --reg c=0 --json
      romproof run demo --call fill --read screen:40 --limit 20000
      romproof run demo-gb --call fill --reg hl=0xC000 --reg bc=20 --reg cf=0
    """
    from romproof.cli.naming import check_call, check_memory
    from romproof.harness.rom import Rom
    from romproof.report.call import call_report

    with failures_as_json("run", as_json):
        built = build_one(name)
        rom = Rom(built.image, engine, banks=built.manifest.banks)
        check_call(rom, symbol)
        check_memory(rom, memory, reads)
        given, flags = registers_and_flags(registers, built.image.cpu)
        with waiting("running"):
            result = rom.call(
                symbol,
                flags=flags,
                mem=dict(memory),
                limit=limit,
                **given,
            )
        shown: dict[str, bytes] = {}
        for place, size in reads:
            name = place if isinstance(place, str) else f"${place:04X}"
            shown[name if size is None else f"{name}:{size}"] = result.read(place, size)
    click.echo(reporter(as_json).call(call_report(result, shown)), nl=False, color=True)
