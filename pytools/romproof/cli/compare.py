"""``romproof compare``: programs called with the same inputs."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romproof.cli.echo import echo
from romproof.cli.options import against_option, json_option, limit_option
from romproof.cli.output import failures_as_json, progress, reporter
from romproof.cli.project import as_it_was, engine_option, out_to_stderr
from romproof.cli.strict import strict_option
from romproof.cli.unread import tell_unread
from romproof.cli.values import Number
from romproof.text.errors import BadInput

if TYPE_CHECKING:
    from romproof.projects import Built

_SYMBOLS = (".dbg", ".sym", ".mlb", ".lbl", ".map")
"""Files of symbols beside an image, the best first."""
_TOLD = 5_000
"""Calls after which a line says how many were made, where no terminal shows it."""
_LOOKED_AT = 2_000
"""The same of inputs that are refused: a second or two."""


@click.command(short_help="Compare programs over the same calls.")
@click.argument("programs", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--call",
    "routines",
    multiple=True,
    metavar="ROUTINE",
    help="Compare this routine; default: every routine with a contract in A that exists in B.",
)
@click.option(
    "--calls",
    type=Number(1, 100_000),
    default=200,
    show_default=True,
    help="Number of random inputs for each routine.",
)
@limit_option()
@click.option(
    "--contracts",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of contracts, for programs that are images.",
)
@against_option("Compare with A at this git revision as well")
@engine_option
@strict_option
@json_option()
def compare(
    programs: tuple[str, ...],
    routines: tuple[str, ...],
    calls: int,
    limit: int,
    contracts: tuple[Path, ...],
    against: str | None,
    engine: str,
    as_json: bool,
) -> None:
    """Call the routines of two or more programs with the same inputs, and show
    their costs: cycles, bytes of code, bytes of RAM and of stack.

    A program is a ROM of the project, a manifest or its folder, an image with
    its symbols beside it, or a variant of a ROM: NAME@SYMBOL=VALUE,... builds
    it with other defines. Inputs are those that the contract in A allows, the
    same at every run; variables in memory are matched by name. Calls that
    fail, or that another program refuses, are listed and not counted. "front"
    marks the Pareto front: no other program is as good in mean cycles, code
    and RAM, and better in one of them.

    \b
    Examples:
      romproof compare tarot tarot@TAROT_VARIANT=2
      romproof compare tarot ../before/rom/tarot --call shuffle --calls 1000
      romproof compare tarot --against HEAD~1
      romproof compare old/game.nes build/game.nes --contracts game.contracts
    """
    from romproof.harness.built import rom_of
    from romproof.harness.comparing import ComparedSide, common_routines, measure_whole
    from romproof.harness.comparing import compare as compared
    from romproof.report.comparison import ComparisonReport

    if len(programs) < 2 and against is None:
        raise click.UsageError("there is nothing to compare with: name at least two programs")
    with ExitStack() as worktree, failures_as_json("compare", as_json):
        sides: list[ComparedSide] = []
        for number, name in enumerate(programs):
            again = programs[:number].count(name)
            called = f"{name} ({again + 1})" if again else name
            sides.append(ComparedSide(called, rom_of(_build(name, contracts), engine)))
        if against is not None:
            folder = worktree.enter_context(_revision(programs[0], against))
            built = _build(programs[0], contracts, folder)
            sides.append(ComparedSide(f"{programs[0]} at {against}", rom_of(built, engine)))
        wanted = list(routines) or common_routines(sides)
        if not wanted:
            raise BadInput(
                f"no routine with a contract in '{programs[0]}' exists in the other programs; "
                f"name one with --call ROUTINE"
            )
        rows = []
        with progress("calling", calls * len(wanted), every=_TOLD) as tick:
            for routine in wanted:
                rows.append(compared(sides, routine, calls, limit, tick, _tell_refused))
    report = ComparisonReport(tuple(measure_whole(side) for side in sides), tuple(rows))
    click.echo(reporter(as_json).comparison(report), nl=False, color=True)
    if not report.ok:
        click.get_current_context().exit(1)


def _tell_refused(routine: str, count: int) -> None:
    """Say that inputs are still looked for."""
    if count % _LOOKED_AT == 0:
        echo(
            f"{routine}: its contract does not allow {count:,} of the inputs drawn so far", err=True
        )


def _revision(name: str, revision: str) -> AbstractContextManager[Path]:
    """The current folder as it was at a revision. Raises BadInput."""
    from romproof.formats.images import is_image

    if is_image(name):
        raise BadInput(f"--against needs a program of the project; '{name}' is an image")
    return as_it_was(revision)


def _build(name: str, contracts: tuple[Path, ...], folder: Path | None = None) -> Built:
    """Build or load a program, that of another folder. Raises RomproofError and OSError."""
    from romproof.cli.output import show_diagnostics
    from romproof.formats.images import is_image
    from romproof.projects import build, find_manifest
    from romproof.projects.foreign import Foreign
    from romproof.projects.manifest import manifest_of_image

    if is_image(name):
        path = Path(name)
        beside = [path.with_suffix(ending) for ending in _SYMBOLS]
        symbols = tuple(file for file in beside if file.is_file())[:1]
        foreign = Foreign(path, Path(), symbols=symbols, contracts=contracts)
        built = build(manifest_of_image(foreign))
    else:
        rom, _, variant = name.partition("@")
        defines = _defines(name, variant)
        with out_to_stderr():
            built = build(find_manifest(rom, folder), defines=defines)
    show_diagnostics(built.diagnostics)
    tell_unread(name, built.image)
    return built


def _defines(name: str, text: str) -> dict[str, int]:
    """``SYMBOL=VALUE,...`` behind the @ of a name."""
    defines: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        symbol, equals, value = part.partition("=")
        try:
            defines[symbol.strip()] = int(value.replace("$", "0x"), 0) if equals else 1
        except ValueError:
            raise click.UsageError(
                f"'{name}': '{part}' is not a define; write SYMBOL=VALUE with a number"
            ) from None
    return defines
