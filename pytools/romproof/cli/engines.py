"""``romproof engines``: what can execute code here."""

from __future__ import annotations

import click

from romproof.cli.options import json_option
from romproof.cli.output import progress, reporter
from romproof.cli.values import LazyChoice, list_emulated_cpus


@click.command(short_help="Show the engines that can execute code here.")
@click.option("--measure", is_flag=True, help="Measure the speed of each engine.")
@click.option(
    "--cpu", type=LazyChoice("CPU", list_emulated_cpus), help="Show only engines for this CPU."
)
@json_option("table")
def engines(measure: bool, cpu: str | None, as_json: bool) -> None:
    """Show the engines, their abilities, and the one that "auto" chooses.

    The option --engine of other commands chooses one of them. Engines that
    cannot be used here are listed with the package to install. --measure runs a small
    endless program on each, for about a second per CPU and engine.

    \b
    Examples:
      romproof engines
      romproof engines --measure --cpu mos6502
      romproof engines --json
    """
    from romproof.engine.speed import Speed, measure_speed
    from romproof.report.engines import engine_report, usable_pairs

    cpus = [cpu] if cpu else list(list_emulated_cpus())
    speeds: dict[tuple[str, str], Speed] = {}
    if measure:
        pairs = usable_pairs(cpus)
        with progress("measuring", len(pairs)) as advance:
            for name, measured in pairs:
                speeds[name, measured] = measure_speed(name, measured)
                advance()
    shown = engine_report(cpus, speeds)
    click.echo(reporter(as_json).engines(shown), nl=False, color=True)
