"""``romproof prove``: contracts proved for all inputs, or an input that breaks them."""

from __future__ import annotations

import click

from romproof.cli.foreign import foreign_options
from romproof.cli.options import (
    effort_option,
    jobs_option,
    json_option,
    scheduler_option,
    timeout_option,
)
from romproof.cli.output import failing_with, failures_as_json, reporter
from romproof.cli.project import ROM_ROUTINE
from romproof.cli.strict import strict_option
from romproof.support.extras import need_for_proofs

_FAILED = 2
"""The exit code when nothing could be said of all or some: 1 says that something is not proved."""


@click.command(short_help="Prove contracts for all inputs.")
@click.argument("names", nargs=-1, type=ROM_ROUTINE, metavar="[NAME[:ROUTINE]]...")
@timeout_option("the work on a routine")
@effort_option(
    "Effort allowed for each claim, as a multiple of the default. Effort is counted, not timed: "
    "it is the same on every machine."
)
@jobs_option("Number of processes. Routines that call each other are proved in the same process.")
@scheduler_option
@click.option("--partial", is_flag=True, help='Accept "proved if it ends" for the exit code 0.')
@click.option("--cross", is_flag=True, help="Require z3 and Bitwuzla to agree on every answer.")
@click.option(
    "--tight", is_flag=True, help="Exit with 1, too, if no call takes the claimed number of cycles."
)
@click.option(
    "--loose", is_flag=True, help="Do not look for calls that take the claimed number of cycles."
)
@click.option(
    "--fresh", is_flag=True, help="Prove everything again; use no results of earlier runs."
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Show every statement, the assumptions, and the inputs that reach the limits of cycles.",
)
@foreign_options
@strict_option
@json_option()
def prove(
    names: tuple[tuple[str, str | int | None], ...],
    timeout: int,
    effort: float,
    jobs: int,
    scheduler: str | None,
    partial: bool,
    cross: bool,
    tight: bool,
    loose: bool,
    fresh: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Prove that the routines of the ROM NAME keep their contracts for all
    inputs; without a name, those of all ROMs of the project. Routines that a
    ROUTINE calls are proved before it.

    The code is executed symbolically, all paths at once, and a solver (z3,
    then Bitwuzla) searches for inputs that violate the contract. A routine
    is proved; or refuted by an input, which is executed and shown as a test
    case; or unknown, with the reason. Where a proved routine is called, its
    contract is used instead of its code: the column "with" names them.

    The cycles shown are limits that no call exceeds. A second word says whether
    some call reaches both limits: "loose" if none does. --tight
    makes that exit code 1; --loose skips the question. A loop that takes too
    long to execute needs only one iteration with an invariant:
    '; invariant: LABEL: CONDITION'.

    Each proved routine is then executed, for all inputs or for at least a
    thousand: see the column "executed". With an invariant, '; decreases: LABEL:
    NUMBER' proves that the routine ends; without it all other statements are only
    "proved if it ends". A contract that claims nothing (no input satisfies
    it, no path reaches an invariant) is "vacuous".

    Proofs are cached: a routine of the same program, with the same
    options and the same version of romproof, is not proved again unless
    --fresh is given.

    The exit code is 0 if everything is proved, 1 if something is not, 2
    if the program cannot be built, a contract cannot be read (the others
    are still proved) or a solver is missing. docs/proved.md defines
    each term.

    \b
    Examples:
      romproof prove
      romproof prove demo --timeout 300 --jobs 4
      romproof prove demo:next_byte demo:add -v
      romproof prove demo --tight
      romproof prove demo --loose --json
      romproof prove demo --partial --cross --effort 10
      romproof prove demo --scheduler tcp://10.0.0.5:8786
      romproof prove build/game.nes --symbols build/game.dbg --contracts game.contracts
    """
    with failing_with(_FAILED), failures_as_json("prove", as_json, roms=[]):
        need_for_proofs()
        from romproof.cli.proving import ProveOptions, prove_all, works_on

        if tight and loose:
            raise click.UsageError("--tight and --loose exclude each other")
        works = works_on(names)
        surveys, interrupted = prove_all(
            works,
            ProveOptions(timeout, loose, partial, effort, cross, jobs, fresh, scheduler, tight),
        )
    click.echo(reporter(as_json).proofs(surveys, verbose), nl=False, color=True)
    if interrupted:
        raise KeyboardInterrupt
    if any(survey.malformed for survey in surveys):
        click.get_current_context().exit(_FAILED)
    if not all(survey.ok for survey in surveys):
        click.get_current_context().exit(1)
