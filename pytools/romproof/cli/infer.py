"""``romproof infer``: contracts for routines that have none."""

from __future__ import annotations

from pathlib import Path

import click

from romproof.cli.foreign import foreign_options
from romproof.cli.output import failing_with, failures_as_json, reporter
from romproof.cli.project import ROM_ROUTINE
from romproof.cli.strict import strict_option
from romproof.cli.values import Number
from romproof.support.extras import need_for_proofs

_TIMEOUT = 60
_DAY = 24 * 60 * 60
_FAILED = 2
"""The exit code when nothing could be said: 1 says that some routine has no contract."""


@click.command(short_help="Propose contracts, proved and tight.")
@click.argument("names", nargs=-1, type=ROM_ROUTINE, metavar="[NAME[:ROUTINE]]...")
@click.option(
    "--all", "private", is_flag=True, help="Also the routines that are called but not exported."
)
@click.option("--write", is_flag=True, help="Put each contract above its routine in the source.")
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Put the contracts at the end of this file of contracts instead; implies --write.",
)
@click.option(
    "--timeout",
    type=Number(1, _DAY),
    default=_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="Stops the work on a routine after so many seconds in all: then it has no contract, or "
    "one that is not shown to be tight.",
)
@click.option(
    "--effort",
    type=click.FloatRange(0, min_open=True),
    default=1,
    show_default=True,
    metavar="N",
    help="The work allowed for each routine, as a multiple of the default. It is counted, not "
    "timed: the same on every machine.",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Show what is not shown to be tight, and where."
)
@foreign_options
@strict_option
@click.option("--json", "as_json", is_flag=True, help="The result as JSON (docs/json.md).")
def infer(
    names: tuple[tuple[str, str | int | None], ...],
    private: bool,
    write: bool,
    target: Path | None,
    timeout: int,
    effort: float,
    verbose: bool,
    as_json: bool,
) -> None:
    """Propose contracts for the routines of the ROM NAME that have none, or
    for a ROUTINE and all that it calls: inputs, outputs, what is clobbered,
    stack, cycles, and what the inputs have to be for the routine to stay in
    its memory. Only what is proved is proposed. The routines are those of
    'romproof bounds'.

    A contract is tight where for each part of it an execution is known that
    would break it without that part; what is proved but not shown to be
    tight is counted apart. Of the others the reason is given.

    With --write each contract is put above its routine, and the changes are
    shown. Comments that are there stay as they are; a routine that has a
    contract keeps it, and what is wrong with it is told. With --to the
    contracts go to a file of their own, which the key 'contracts' of the
    project names.

    The exit code is 0 when every routine has a contract that is proved, 1
    when some have none, 2 when the program cannot be built or a solver is
    missing. docs/how-to/infer.md shows it on whole games.

    \b
    Examples:
      romproof infer demo:next_byte
      romproof infer demo --write
      romproof infer demo --json
      romproof infer build/game.gb --symbols build/game.sym --to game.contracts
    """
    with failing_with(_FAILED), failures_as_json("infer", as_json, roms=[]):
        need_for_proofs()
        from romproof.cli.inferring import infer_all, put

        results, interrupted = infer_all(names, timeout, effort, private)
        click.echo(
            reporter(as_json).inferred([each.survey for each in results], verbose),
            nl=False,
            color=True,
        )
        if (write or target is not None) and not interrupted:
            put(results, target)
    if interrupted:
        raise KeyboardInterrupt
    if not all(each.survey.ok for each in results):
        click.get_current_context().exit(1)
