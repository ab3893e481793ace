"""``romproof prove``: contracts proved for all inputs, or an input that breaks them."""

from __future__ import annotations

import click

from romproof.cli.output import failing_with, failures_as_json, reporter
from romproof.cli.project import ROM_ROUTINE
from romproof.cli.values import Number

_TIMEOUT = 60
_DAY = 24 * 60 * 60
_FAILED = 2
"""The exit code when nothing could be said: 1 says that something is not proved."""


@click.command(short_help="Prove contracts for all inputs.")
@click.argument("names", nargs=-1, type=ROM_ROUTINE, metavar="[NAME[:ROUTINE]]...")
@click.option(
    "--timeout",
    type=Number(1, _DAY),
    default=_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="The time for each routine; what takes longer is unknown.",
)
@click.option(
    "--loose", is_flag=True, help="Claims of cycles may allow more than any call can take."
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Show every statement, what is assumed, and the inputs that reach the limits of cycles.",
)
@click.option("--json", "as_json", is_flag=True, help="The result as JSON (docs/json.md).")
def prove(
    names: tuple[tuple[str, str | int | None], ...],
    timeout: int,
    loose: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Prove that the routines of the ROM NAME keep their contracts, whatever
    their inputs; without a name those of all ROMs of the project. A ROUTINE is
    proved after those that it comes to.

    Nothing is tried out: the code is executed with inputs that are not known,
    all ways at once, and a solver (z3) looks for values that break a promise.
    Each routine is proved, or refuted by an input, which is executed and told
    as a test case, or unknown, with the reason. A routine once proved stands
    for its code where it is called: the column "with" names these.

    The cycles are the real limits, each reached by an input. A claim that
    allows more is refuted, unless it is --loose. A loop that takes too long
    to follow is done in one turn with '; invariant: LABEL: CONDITION'.

    The exit code is 0 when all is proved, 1 when something is refuted or
    unknown, 2 when the program cannot be built or z3 is missing.

    \b
    Examples:
      romproof prove
      romproof prove demo --timeout 300
      romproof prove demo:next_byte demo:add -v
      romproof prove demo --loose --json
    """
    from romproof.cli.proving import Wanted, prove_all, works_on

    with failing_with(_FAILED), failures_as_json("prove", as_json, roms=[]):
        works = works_on(names)
        surveys, interrupted = prove_all(works, Wanted(timeout, loose))
    click.echo(reporter(as_json).proofs(surveys, verbose), nl=False, color=True)
    if interrupted:
        raise KeyboardInterrupt
    if not all(survey.ok for survey in surveys):
        click.get_current_context().exit(1)
