"""``romproof same``: two versions of a routine, equal for all inputs or not."""

from __future__ import annotations

import click

from romproof.cli.foreign import foreign_options, other_foreign_options
from romproof.cli.options import against_option, effort_option, json_option, timeout_option
from romproof.cli.output import failing_with, failures_as_json, reporter
from romproof.cli.project import ROM_ROUTINE
from romproof.cli.strict import strict_option
from romproof.support.extras import need_for_proofs

_FAILED = 2
"""The exit code when nothing could be said: 1 says that they are not proved to be equal."""


class RoutinePair(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """``ONE=OTHER``, or several with commas between."""

    name = "places"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[tuple[str, str], ...]:
        if isinstance(value, tuple):
            return value
        pairs: list[tuple[str, str]] = []
        for part in str(value).split(","):
            one, equals, other = (word.strip() for word in part.partition("="))
            if not (one and equals and other):
                self.fail(f"'{part}' is not a pair of places: write A=A,lfsr=state", param, ctx)
            pairs.append((one, other))
        return tuple(pairs)


@click.command(short_help="Prove that two versions of a routine are equivalent.")
@click.argument("one", type=ROM_ROUTINE, metavar="NAME:ROUTINE")
@click.argument("other", type=ROM_ROUTINE, required=False, metavar="[NAME:ROUTINE]")
@against_option("the routine at this revision of git")
@click.option(
    "--map",
    "mapped",
    type=RoutinePair(),
    multiple=True,
    metavar="ONE=OTHER,...",
    help="Pair places of the two routines whose names differ.",
)
@timeout_option("the work")
@effort_option("Effort allowed for each output, as a multiple of the default.")
@click.option("-v", "--verbose", is_flag=True, help="Show every statement.")
@foreign_options
@other_foreign_options
@strict_option
@json_option()
def same(
    one: tuple[str, str | int | None],
    other: tuple[str, str | int | None] | None,
    against: str | None,
    mapped: tuple[tuple[tuple[str, str], ...], ...],
    timeout: int,
    effort: float,
    verbose: bool,
    as_json: bool,
) -> None:
    """Prove that two routines have the same outputs for all inputs that both of their
    contracts allow, or find an input that tells them apart.

    The outputs of the first ('out:') are compared: registers and flags of the
    same name if the CPU is the same, memory of the same name. --map pairs
    other places, and all registers if the CPUs differ. A routine
    without a contract is compared under the contract of the other.

    With --against the first version is the routine as it was at a revision
    of git; the tree you work in stays as it is.

    Both are executed symbolically, with all their loops and callees; a proved
    result is confirmed by execution. The output compares cycles, the bytes of code on their
    paths, stack, and the places that each changes besides its outputs.

    The exit code is 0 if they are proved to be equal, 1 if they are not
    or if that is unknown, 2 if a program cannot be built or a solver is
    missing. docs/proved.md defines each term.

    \b
    Examples:
      romproof same demo:multiply demo:multiply_fast
      romproof same demo:multiply --against HEAD~1
      romproof same demo:multiply old:multiply --json
      romproof same game:next_byte game-gb:next_byte --map A=A,lfsr=lfsr
      romproof same old.nes:add new.nes:add --symbols old.dbg --other-symbols new.dbg
    """
    with failing_with(_FAILED), failures_as_json("same", as_json):
        need_for_proofs()
        from romproof.cli.versions import compare
        from romproof.prover.results import Verdict

        pairs = [pair for some in mapped for pair in some]
        result, test = compare(one, other, against, pairs, timeout, effort)
    click.echo(reporter(as_json).same(result, test, verbose), nl=False, color=True)
    if result.verdict is not Verdict.PROVED:
        click.get_current_context().exit(1)
