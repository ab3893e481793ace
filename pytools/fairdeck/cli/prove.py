"""``fairdeck prove``."""

from __future__ import annotations

import json
from collections import Counter
from textwrap import fill
from typing import TYPE_CHECKING

import click

from fairdeck.cli.choices import scheduler_option
from fairdeck.cli.text import show
from romproof import Attained, Proof, ProofOptions, RomproofError, Verdict, progress, show_error

if TYPE_CHECKING:  # provers take time to import
    from fairdeck.proofs.statement import Statement

_WIDTH = 79
_TIMEOUT = 300
_FAILED = 2
"""The exit code when nothing could be said: 1 says that something is not proved."""
_COLOURS = {
    Verdict.PROVED: "green",
    Verdict.PARTIAL: "cyan",
    Verdict.UNKNOWN: "yellow",
    Verdict.VACUOUS: "red",
    Verdict.REFUTED: "red",
}

_OPEN = (Attained.NO, Attained.UNKNOWN)
"""What is told besides the verdict."""


def _complete_statement(
    _context: click.Context, _parameter: click.Parameter, text: str
) -> list[str]:
    """Topics, topics with a CPU, and statements that begin so."""
    from fairdeck.proofs.every import every

    names: dict[str, None] = {}
    for one in every().values():
        names |= dict.fromkeys((one.topic, f"{one.topic}/{one.cpu}", one.name))
    return [name for name in names if name.startswith(text)]


@click.command("prove")
@click.argument("names", nargs=-1, shell_complete=_complete_statement)
@click.option(
    "--timeout",
    type=click.IntRange(1),
    default=_TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="The time for each proof; a proof that takes longer is unknown.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Number of processes; default: one per core.",
)
@scheduler_option
@click.option(
    "--effort",
    type=click.FloatRange(0, min_open=True),
    default=1,
    show_default=True,
    metavar="N",
    help="Effort for each claim, as a multiple of the default; counted, not timed.",
)
@click.option(
    "--partial", is_flag=True, help="Accept the verdict of partial proofs for the exit code 0."
)
@click.option("--cross", is_flag=True, help="Require z3 and Bitwuzla to agree on every answer.")
@click.option(
    "--fresh", is_flag=True, help="Prove everything again; use no results of earlier runs."
)
@click.option("--list", "only_list", is_flag=True, help="Only list the statements.")
@click.option("-v", "--verbose", is_flag=True, help="Show every finding.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def prove_command(
    names: tuple[str, ...],
    timeout: int,
    jobs: int | None,
    scheduler: str | None,
    effort: float,
    partial: bool,
    cross: bool,
    fresh: bool,
    only_list: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Prove that the machine code agrees with the models for all inputs.

    NAMES are names of statements or their beginnings: a topic, or a topic and a CPU. The default
    is all statements except those that take minutes. docs/proofs.md has the results.
    `romproof prove` proves the contracts of any program.

    Proofs are cached: a statement with the same programs, options and versions is not proved
    again, and marked "kept", unless --fresh is given.

    Each proved statement is also executed. The exit code is 0 if everything is proved (with
    --partial: or proved if it ends), 1 if something is not, 2 if nothing could be tried.

    \b
    Examples:
      fairdeck prove
      fairdeck prove --list
      fairdeck prove tarot/6502 sha512/sm83/round -v
      fairdeck prove "*/flip" --json

    \b
    JSON (--json): {"ok": true or false, "statements": [...]}, each with name, topic, cpu, claim,
    verdict (proved, proved if it ends, unknown, vacuous, refuted), seconds, runs, unfinished (runs
    that did not end within their limit of cycles), kept (true: from an earlier run), and findings:
    statement, verdict, detail, example (as text, or null), replayed (true, false or null).
    """
    try:
        from fairdeck.proofs.every import chosen, prove_in_order

        options = ProofOptions(float(timeout), effort=effort, cross=cross, fresh=fresh)
        statements = chosen(names)
        if only_list:
            show("\n".join(_list_statement(statement) for statement in statements))
            return
        with progress("proving", len(statements)) as tick:
            proofs = prove_in_order(statements, options, jobs, tick, scheduler)
    except (RomproofError, OSError) as fault:
        show_error(fault)
        click.get_current_context().exit(_FAILED)
    enough = (Verdict.PROVED, Verdict.PARTIAL) if partial else (Verdict.PROVED,)
    ok = all(
        proof.verdict in enough and proof.attained in (Attained.YES, None) for _, proof, _ in proofs
    )
    if as_json:
        rows = [_as_object(*one) for one in proofs]
        click.echo(json.dumps({"ok": ok, "statements": rows}))
    else:
        show("\n".join([*(_as_text(*one, verbose) for one in proofs), _sum(proofs)]))
    if not ok:
        click.get_current_context().exit(1)


def _list_statement(statement: Statement) -> str:
    return f"{click.style(statement.name, bold=True)}\n{_claim(statement)}"


def _claim(statement: Statement) -> str:
    return fill(statement.claim, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _as_text(statement: Statement, proof: Proof, kept: bool, verbose: bool) -> str:
    verdict = click.style(f"{proof.verdict.value:<8}", fg=_COLOURS.get(proof.verdict, "yellow"))
    name = click.style(statement.name, bold=True)
    open_ = f", {proof.unfinished:,} of them without an end" if proof.unfinished else ""
    when = ", kept" if kept else ""
    lines = [f"{verdict} {name}  {proof.seconds:.1f} s, {proof.runs:,} runs{open_}{when}"]
    lines.append(_claim(statement))
    for finding in proof.findings:
        if verbose or finding.verdict is not Verdict.PROVED or finding.attained in _OPEN:
            what = click.style(
                f"{finding.verdict.value:<8}", fg=_COLOURS.get(finding.verdict, "yellow")
            )
            detail = f": {finding.detail}" if finding.detail else ""
            detail += f" ({finding.attained.value})" if finding.attained in _OPEN else ""
            lines.append(f"    {what} {finding.statement}{detail}")
        if finding.example is not None and finding.verdict is not Verdict.PROVED:
            seen = " (confirmed by execution)" if finding.replayed else ""
            lines.append(f"             {finding.example}{seen}")
    return "\n".join(lines)


def _sum(proofs: list[tuple[Statement, Proof, bool]]) -> str:
    counts = Counter(proof.verdict for _, proof, _ in proofs)
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict]]
    kept = sum(kept for *_, kept in proofs)
    parts += [f"{kept} of them kept from earlier runs"] if kept else []
    return click.style(f"{len(proofs)} statements: {', '.join(parts)}", bold=True)


def _as_object(statement: Statement, proof: Proof, kept: bool) -> dict[str, object]:
    return {
        "name": statement.name,
        "topic": statement.topic,
        "cpu": statement.cpu,
        "claim": statement.claim,
        "verdict": proof.verdict.value,
        "seconds": proof.seconds,
        "runs": proof.runs,
        "unfinished": proof.unfinished,
        "kept": kept,
        "findings": [
            {
                "statement": str(finding.statement),
                "verdict": finding.verdict.value,
                "attained": None if finding.attained is None else finding.attained.value,
                "detail": finding.detail,
                "example": str(finding.example) if finding.example is not None else None,
                "replayed": finding.replayed,
            }
            for finding in proof.findings
        ],
    }
