"""``fairdeck tarot stats``."""

from __future__ import annotations

import json

import click

from fairdeck.cli.text import show
from fairdeck.tarot.distribution import (
    Distribution,
    distribution,
    expected_shuffle_flips,
    placement,
)
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.shuffle import CARDS

_MAX = 256
_HELP = f"""Show the exact probabilities of both draws below n.

All figures are rational numbers, not samples: the probability of each number,
the expected coin flips of a draw and of shuffling n cards, and the distance
from a fair draw (total variation). "times fair" is the probability times n.

\b
Examples:
  fairdeck tarot stats
  fairdeck tarot stats --n 6 --json

\b
JSON (--json): n, and for "correct" and "printed" each
  pmf              [first, last, probability] for runs of equal numbers
  expected_flips   of one draw below n
  total_variation  half the sum of the distances from 1/n
  shuffle_flips    expected flips of shuffling n cards
  first_stays      probability that card 0 of a sorted deck ends at offset 0
Fractions are strings such as "691/91". n is at most {_MAX}.
"""


@click.command("stats", help=_HELP)
@click.option(
    "--n",
    type=click.IntRange(2, _MAX),
    default=CARDS,
    show_default=True,
    metavar="N",
    help="Numbers to draw from.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def stats_command(n: int, as_json: bool) -> None:
    """Show the exact figures; see the help text above."""
    if as_json:
        click.echo(json.dumps({"n": n, **{r.value: _as_object(n, r) for r in Reduction}}))
    else:
        show("\n\n".join(_as_text(n, r) for r in Reduction))


def _as_object(n: int, reduction: Reduction) -> dict[str, object]:
    exact = distribution(n, reduction)
    return {
        "pmf": [[first, last, str(p)] for first, last, p in exact.runs()],
        "expected_flips": str(exact.expected_flips),
        "total_variation": str(exact.total_variation),
        "shuffle_flips": str(expected_shuffle_flips(n, reduction)),
        "first_stays": str(placement(0, n, reduction)[0]),
    }


def _as_text(n: int, reduction: Reduction) -> str:
    exact = distribution(n, reduction)
    flips = exact.expected_flips
    total = expected_shuffle_flips(n, reduction)
    stays = placement(0, n, reduction)[0] * n
    return "\n".join(
        (
            click.style(f"{reduction.value} draw below {n}", bold=True),
            f"  expected flips   {float(flips):.6f}  ({flips})",
            f"  total variation  {float(exact.total_variation):.6f}",
            f"  {n} cards         {float(total):.5f} flips; from a sorted deck card 0 ends",
            f"                   at offset 0 {float(stays):.4f} times as often as is fair",
            *_runs(exact),
        )
    )


def _runs(exact: Distribution) -> list[str]:
    lines = ["  numbers    times fair  probability"]
    for first, last, p in exact.runs():
        numbers = str(first) if first == last else f"{first}..{last}"
        lines.append(f"  {numbers:<9}  {float(p * exact.n):>10.4f}  {p}")
    return lines
