"""``romproof conformance``: public test suites, run on our engines."""

from __future__ import annotations

from pathlib import Path

import click

from romproof.cli.options import json_option, scheduler_option
from romproof.cli.output import failures_as_json, progress, reporter, waiting
from romproof.cli.values import LazyChoice, Number, engines, suites


@click.command(short_help="Run public test suites on the engines.")
@click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option(
    "--only",
    multiple=True,
    type=LazyChoice("suite", suites),
    help="Run only this suite; may be repeated.",
)
@click.option(
    "--engine",
    default="auto",
    show_default=True,
    type=LazyChoice("engine", engines),
    help="Engine to test; auto: the engine with the most detailed results for each suite.",
)
@click.option(
    "--sample",
    type=Number(1, 1_000_000),
    default=1,
    metavar="N",
    help="Run only every N-th case of files with many cases.",
)
@click.option(
    "--jobs", type=Number(1, 1024), metavar="N", help="Number of processes; default: one per core."
)
@scheduler_option
@json_option("table")
def conformance(
    folder: Path,
    only: tuple[str, ...],
    engine: str,
    sample: int,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Run the test suites found anywhere below DIR.

    romproof ships none of them. It recognises these suites by their files:
    SingleStepTests for 65x02 and sm83, Klaus Dormann's and Bruce Clark's
    programs for the 6502, nestest, Shay Green's (blargg's) ROMs for the Game
    Boy, mooneye-test-suite; and RGBDS's tests of its assembler, linker and
    header tool, for which no engine is used. Tests of behaviour that an engine or the machine
    does not claim, or that differs from chip to chip, are counted apart,
    with the reason. The exit code is 1 when anything fails, or when there is
    nothing to run. With --scheduler each worker reads the files itself, so
    DIR has to exist on every worker.

    \b
    Examples:
      romproof conformance ~/suites
      romproof conformance ~/suites --only 6502-klaus --engine plain
      romproof conformance ~/suites --sample 100 --json
      romproof conformance /net/suites --scheduler tcp://10.0.0.5:8786
    """
    with failures_as_json("conformance", as_json, suites=[]):
        from romproof.conformance.run import all_passed, pieces_in, run_pieces

        with waiting("looking for suites"):
            pieces = pieces_in(folder, only, engine, sample)
        with progress("testing", len(pieces)) as advance:
            rows = run_pieces(pieces, jobs, advance, scheduler)
    click.echo(reporter(as_json).conformance(rows), nl=False, color=True)
    if not all_passed(rows):
        click.get_current_context().exit(1)
