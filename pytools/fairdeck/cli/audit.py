"""``fairdeck audit``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from fairdeck.audit.picture import write_png
from fairdeck.audit.sample import Sample, chunks_of, sample
from fairdeck.audit.statistics import Figures
from fairdeck.audit.systems import SYSTEMS, System
from fairdeck.cli.audit_report import Audited, as_object, as_text, overview
from fairdeck.cli.choices import scheduler_option, size_option
from fairdeck.cli.text import show
from fairdeck.tarot.targets import TARGETS, Target
from fairdeck.tarot.variants import FAST, Variant
from romproof import Number, progress, workers

Taken = Callable[..., Sample]
"""What takes a sample of a target's shuffles: its options are chosen already."""

_SHUFFLES = 12_000_000
_MAX_SHUFFLES = 10_000_000_000


@click.command("audit")
@click.argument("names", nargs=-1, type=click.Choice([system.name for system in SYSTEMS]))
@click.option(
    "--on",
    "targets",
    multiple=True,
    type=click.Choice(list(TARGETS)),
    help="Also count the final places of cards in shuffles by this CPU's code; may be repeated.",
)
@click.option(
    "--shuffles",
    type=Number(1, _MAX_SHUFFLES),
    default=_SHUFFLES,
    show_default=True,
    metavar="N",
    help="With --on: number of shuffles, each from a random seed.",
)
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a PNG of each table: a row for each tile, a column for each place "
    "(needs fairdeck[pictures]).",
)
@scheduler_option
@click.option(
    "--fresh",
    is_flag=True,
    help="With --on: count everything again; use no results of earlier runs.",
)
@size_option(FAST)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def audit_command(
    names: tuple[str, ...],
    targets: tuple[str, ...],
    shuffles: int,
    pictures: Path | None,
    scheduler: str | None,
    fresh: bool,
    variant: Variant,
    as_json: bool,
) -> None:
    """Show the exact fairness of each shuffle, and the facts that a player can verify.

    For every tile of a sorted deck and every place, the probability to end there is computed
    exactly, and shown as a multiple of the fair one. Seeds are assumed to be evenly distributed,
    coin flips independent; the bits of the seed show the limits of a small generator.

    With --on the tarot code shuffles on the emulated CPU (engine recompiled), from random seeds,
    and the places of cards are counted. Beside each figure are the noise of as many fair shuffles
    and a test: its distance from fair in standard deviations, and the probability of that. Counts
    are kept: an interrupted sample continues where it stopped, a larger one begins
    with the smaller, and the sums do not depend on the machines that count, unless the code
    has changed.

    \b
    Examples:
      fairdeck audit
      fairdeck audit mjarcade --pictures pictures
      fairdeck audit tarot --on 6502 --on sm83
      fairdeck audit tarot --on 6502 --variant balanced --shuffles 1000000
      fairdeck audit tarot --on sm83 --shuffles 1000000000 --scheduler tcp://10.0.0.5:8786
      fairdeck audit --json

    \b
    JSON (--json): {"systems": [...]}, each with name, title, tiles, lowest and highest
    (deviation of a cell from 1, the fair multiple), rms, total_variation {mean, worst,
    worst_place}, exact {lowest, highest, mean_square, total_variation {mean, worst}, corner}:
    the same as fractions "a/b", corner by "tile,place"; seed_bits, order_bits, cause, the
    answers chosen_by, committed, revealed, verifiable, unverifiable (figures and seed_bits are
    null where the operator does not publish the shuffle); and sampled [...], each
    with on, engine, shuffles, cycles, checked (decks equal to the model's), lowest and highest
    {ratio, tile, place, noise, z, p}, rms {value, noise, beyond_noise}, worst_place {place,
    value, noise, z, p}, chi_square {fair, exact}, each {statistic, degrees, z, p}.
    """
    chosen = [system for system in SYSTEMS if not names or system.name in names]
    if targets and not any(system.reduction for system in chosen):
        raise click.UsageError(
            "--on works for the tarot shuffles only: a wall takes a million cycles"
        )
    cpus = [TARGETS[name] for name in dict.fromkeys(targets)]
    with ExitStack() as stack:
        pool = None
        if scheduler is not None and cpus:
            pool = stack.enter_context(workers(1, scheduler, ("romproof", "fairdeck")))
        taken = partial(sample, shuffles=shuffles, variant=variant, pool=pool, fresh=fresh)
        audited = _audit_systems(chosen, cpus, shuffles, taken)
    if pictures is not None:
        _draw(audited, pictures)
    if as_json:
        click.echo(json.dumps({"systems": [as_object(one) for one in audited]}))
    else:
        show("\n\n".join((overview(audited), *(as_text(one) for one in audited))))


def _audit_systems(
    systems: Sequence[System], targets: Sequence[Target], shuffles: int, taken: Taken
) -> list[Audited]:
    samples = _samples(systems, targets, shuffles, taken) if targets else {}
    done: list[Audited] = []
    with progress("working out", len(systems)) as tick:
        for system in systems:
            table = None if system.placement is None else system.placement()
            drawn = samples.get(system.name, ())
            figures = () if table is None else tuple(Figures(one, table) for one in drawn)
            done.append(Audited(system, table, figures))
            tick()
    return done


def _samples(
    systems: Sequence[System], targets: Sequence[Target], shuffles: int, taken: Taken
) -> dict[str, list[Sample]]:
    """By the name of the system, a sample for each of ``targets``."""
    jobs = [(s.name, t, s.reduction) for s in systems if s.reduction for t in targets]
    samples: dict[str, list[Sample]] = {}
    with progress("shuffling", len(jobs) * chunks_of(shuffles)) as tick:
        for name, target, reduction in jobs:
            samples.setdefault(name, []).append(taken(target, reduction, tick=tick))
    return samples


def _draw(audited: Sequence[Audited], folder: Path) -> None:
    for one in audited:
        system = one.system
        if one.table is None:
            continue
        exact = f"{system.title}: exact probabilities"
        write_png(folder / f"{system.name}.png", exact, one.table.ratios)
        for figures in one.figures:
            target, number = figures.sample.target, figures.sample.shuffles
            write_png(
                folder / f"{system.name}-{target.name}.png",
                f"{system.title}: {number:,} shuffles by the {target.title}'s code",
                figures.ratios.tolist(),
                figures.deviations.tolist(),
            )
