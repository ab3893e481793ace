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


@click.command(short_help="Infer contracts, proved and tight.")
@click.argument("names", nargs=-1, type=ROM_ROUTINE, metavar="[NAME[:ROUTINE]]...")
@click.option(
    "--all", "private", is_flag=True, help="Include routines that are called but not exported."
)
@click.option("--write", is_flag=True, help="Write each contract above its routine in the source.")
@click.option(
    "--to",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Append the contracts to this file of contracts instead; implies --write.",
)
@click.option(
    "--timeout",
    type=Number(1, _DAY),
    default=_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="Stop the work on a routine after this many seconds: it then has no contract, or one "
    "that is not shown to be tight.",
)
@click.option(
    "--effort",
    type=click.FloatRange(0, min_open=True),
    default=1,
    show_default=True,
    metavar="N",
    help="Effort allowed for each routine, as a multiple of the default. Effort is counted, not "
    "timed: it is the same on every machine.",
)
@click.option("-v", "--verbose", is_flag=True, help="List each part that is not shown to be tight.")
@foreign_options
@strict_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON (docs/json.md).")
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
    """Infer contracts for the routines of the ROM NAME that have none, or
    for a ROUTINE and its callees: inputs, outputs, clobbered places,
    stack, cycles, and the conditions on the inputs that keep the routine within
    its memory. Only proved contracts are proposed. The routines are those of
    'romproof bounds'.

    A contract is tight if for each part of it an execution is known that
    breaks the contract without that part; contracts that are proved but not shown to be
    tight are counted apart. For a routine without a contract the reason is given.

    With --write each contract is written above its routine, and the changes are
    shown. Existing comments do not change; a routine that has a
    contract keeps it, and its faults are reported. With --to the
    contracts go to a separate file, which the key 'contracts' of the
    project names.

    The exit code is 0 when every routine has a contract that is proved, 1
    when some have none, 2 when the program cannot be built or a solver is
    missing. docs/how-to/infer.md shows the command on whole games.

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
