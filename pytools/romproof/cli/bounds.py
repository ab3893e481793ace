"""``romproof bounds``: what routines cost at best and at worst, from their code alone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from romproof.cli.foreign import foreign_options
from romproof.cli.options import effort_option, json_option
from romproof.cli.output import failures_as_json, progress, reporter
from romproof.cli.project import ROM_ROUTINE, build_one, choose_manifests
from romproof.cli.strict import strict_option

if TYPE_CHECKING:
    from romproof.contract.nouns.model import Contract
    from romproof.harness.rom import Rom
    from romproof.projects.built import Built
    from romproof.timing.budgets import BudgetRow
    from romproof.timing.survey import Survey


@click.command(short_help="Bound the cycles of routines without running them.")
@click.argument("name", required=False, type=ROM_ROUTINE, metavar="[NAME[:ROUTINE]]")
@click.option(
    "--all", "private", is_flag=True, help="Include routines that are called but not exported."
)
@click.option("--loops", is_flag=True, help="Show the largest number of iterations of each loop.")
@click.option(
    "--prove",
    "proving",
    is_flag=True,
    help="Ask the prover about each claim and budget that the bounds exceed.",
)
@effort_option("With --prove: the effort allowed for each claim, as a multiple of the default.")
@click.option("--budget", is_flag=True, help="Fail, too, when a routine may exceed its budget.")
@click.option(
    "--github",
    is_flag=True,
    help="With --budget: print an annotation for GitHub for each budget that is not kept.",
)
@foreign_options
@strict_option
@json_option()
def bounds(
    name: tuple[str, str | int | None] | None,
    private: bool,
    loops: bool,
    proving: bool,
    effort: float,
    budget: bool,
    github: bool,
    as_json: bool,
) -> None:
    """Show lower and upper bounds, in cycles, for every call of a routine of
    the ROM NAME, or of the routines of all ROMs of the project.

    They are derived from the code: nothing is executed, and the cycles that
    contracts claim are not used. Iterations of a loop are derived from its
    counter where possible; elsewhere a contract states them: 'loops: LABEL
    COUNT'. Bounds that depend on such a statement, which is assumed here and
    checked when calls are tested, are marked with *. Where no upper bound is
    known, the lines below the table give the reason.

    Both ends of a claim ('cycles: N..M', 'N..' or '..M') are compared. Where
    the bounds lie outside, or are not known, a call "may exceed" it and the
    exit code is 1, so this command can enforce budgets. Correlations between
    inputs are ignored, so bounds may be wider than the cycles of real calls. With
    --prove such a claim is "proved", refuted by an input, or left open.
    Self-modifying code is not supported; interrupts are not counted.

    Budgets are upper ends in frames or cycles: 'budget:' in contracts and
    the table 'budgets' of a program. With --budget the exit code is 0 only
    when the upper bound of each routine with one is known and within it;
    with --prove as well, when a proof shows that no call exceeds it.

    \b
    Examples:
      romproof bounds
      romproof bounds demo --all --loops
      romproof bounds --prove
      romproof bounds --budget --github
      romproof bounds demo:next_byte --json
      romproof bounds build/game.nes --symbols build/game.dbg
    """
    from romproof.cli.naming import attribute_to, why_none
    from romproof.cli.settling import settle_budgets, settle_surveys
    from romproof.cli.views import survey_view, view_with, views_of
    from romproof.contract.reading.parse import parse_contracts
    from romproof.report.costs import annotation

    rom, routine = name if name is not None else (None, None)
    if github and not budget:
        raise click.UsageError("--github needs --budget: it prints the findings of --budget")
    budgets: dict[str, list[BudgetRow]] = {}
    surveys: list[Survey] = []
    roms: list[Rom] = []
    firsts: list[Rom] = []
    with failures_as_json("bounds", as_json, roms=[]):
        manifests, broken = choose_manifests(rom)
        if broken:
            raise next(iter(broken.values()))
        names = [rom] if rom is not None else [manifest.name for manifest in manifests]
        with progress("working out bounds", len(names)) as tick:
            for called in names:
                built = build_one(called)
                contracts = parse_contracts(built.image)
                with attribute_to("NAME:ROUTINE") if routine is not None else nullcontext():
                    views = views_of(built)
                    views = views if routine is None else [view_with(views, routine)]
                    shown = [
                        survey_view(view, contracts, routine=routine, private=private)
                        for view in views
                    ]
                if not any(each.rows for each in shown):
                    first = views[0]
                    click.echo(f"{first.title}: {why_none(first.rom, first.title)}", err=True)
                kept = [n for n, each in enumerate(shown) if each.rows or not n]
                surveys += [shown[n] for n in kept]
                roms += [views[n].rom for n in kept]
                firsts.append(views[0].rom)
                if budget:
                    budgets[built.manifest.name] = check_budgets(built, contracts, routine)
                tick()
        interrupted = False
        if proving:
            surveys, interrupted = settle_surveys(surveys, roms, effort)
        for of_rom, (called, rows) in zip(firsts, budgets.items(), strict=False):
            if proving and not interrupted:
                budgets[called], interrupted = settle_budgets(of_rom, rows, effort)
    shown_budgets = budgets if budget else None
    click.echo(reporter(as_json).bounds(surveys, loops, shown_budgets), nl=False, color=True)
    all_rows = [row for of_rom in budgets.values() for row in of_rom]
    for row in all_rows if github else ():
        if not row.ok:
            click.echo(annotation(row), err=as_json)
    if interrupted:
        raise KeyboardInterrupt
    if not all(survey.ok for survey in surveys) or not all(row.ok for row in all_rows):
        click.get_current_context().exit(1)


def check_budgets(
    built: Built, contracts: Mapping[str, Contract], routine: str | int | None
) -> list[BudgetRow]:
    """The budgets of a program, or of one routine of it. Raises BadBudget, UnknownClock,
    OverlappingAreas and NoAbi."""
    from romproof.program.clocks import find_clock
    from romproof.timing.budgets import budget_rows

    manifest = built.manifest
    per_frame = find_clock(manifest.clock_name).cycles_per_frame
    rows = budget_rows(built.image, contracts, manifest.budgets, per_frame, manifest.banks)
    if routine is None:
        return rows
    address = routine if isinstance(routine, int) else built.image.address(routine)
    return [row for row in rows if built.image.address(row.routine) == address]
