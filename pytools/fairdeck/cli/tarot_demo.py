"""``fairdeck tarot demo``: a deck by machine code on each CPU, checked and timed."""

from __future__ import annotations

import click

from fairdeck.cli.choices import seed_option, size_option, variant_options
from fairdeck.cli.text import comparison, cost_table, costs, deck_table, heading, show
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Request, on_model, require_equal
from fairdeck.tarot.shuffle import SORTED
from fairdeck.tarot.speed import PY65, SHUFFLES, Speed, speeds
from fairdeck.tarot.targets import MOS6502, TARGETS, Target
from fairdeck.tarot.variants import Variant
from romproof import engines, profile

_LINES = 5


@click.command("demo")
@seed_option(default="12345678", show_default=True)
@variant_options
@click.option(
    "--on",
    "where",
    type=click.Choice(["both", *TARGETS]),
    default="both",
    show_default=True,
    help="CPUs that shuffle.",
)
@size_option()
@click.option(
    "--engine",
    type=click.Choice(engines()),
    help="Engine that executes the code; py65 supports only the 6502, so the SM83 then uses the "
    "fastest one. By default the 6502 shuffles on py65 and on the fastest engine.",
)
def demo_command(
    seed: int,
    feedback: Feedback,
    reduction: Reduction,
    where: str,
    variant: Variant,
    engine: str | None,
) -> None:
    """Shuffle once on each CPU, and show deck, check and cycles.

    The decks are compared with the model's; then reports tell where the cycles
    of the shuffle went, routine by routine, and a table compares the routines
    of the CPUs. The 6502 shuffles on two engines, py65 and the fastest one:
    decks and cycles are equal, and how much faster the one is than the other
    is measured with 50 shuffles.

    \b
    Examples:
      fairdeck tarot demo
      fairdeck tarot demo --engine py65
      fairdeck tarot demo --seed DEADBEEF --feedback cf --on sm83 --variant small
    """
    # here and not above: help and the model need neither assembler nor emulator
    from fairdeck.tarot.costs import costs as measured_costs
    from fairdeck.tarot.on_machine import on_machine

    targets = list(TARGETS.values()) if where == "both" else [TARGETS[where]]
    request = Request(seed, 1, feedback, reduction)
    model = on_model(request)
    runs = [
        (target, name, on_machine(target, request, name, variant=variant))
        for target in targets
        for name in _engines(target, engine, where)
    ]
    parts = [
        heading(request, " and the ".join(target.title for target in targets)),
        f"variant {variant.name}",
        deck_table(runs[0][2][-1].deck),
    ]
    for target, name, outcomes in runs:
        title = f"{target.title} on {_name_engine(name)}"
        check = comparison(title, outcomes[-1], model[-1])
        parts.append(costs(outcomes, target.cycles) + "\n" + check)
    show("\n\n".join(parts))
    for target, _, outcomes in runs:
        require_equal(target.title, outcomes, model)
    if MOS6502 in targets and engine is None:
        click.echo()
        show(_compare_speeds(*speeds(request, variant)))
    chosen = {target: name for target, name, _ in runs}  # of two engines the faster one
    for target, name in chosen.items():
        _report(target, request, name, variant)
    click.echo()
    show(
        cost_table(
            [
                cost
                for target, name in chosen.items()
                for cost in measured_costs(target, request, name, variant)
            ]
        )
    )


def _engines(target: Target, wanted: str | None, where: str) -> tuple[str, ...]:
    """Who executes the code of a CPU."""
    if wanted is None:
        return (PY65, DEFAULT_ENGINE) if target is MOS6502 else (DEFAULT_ENGINE,)
    if wanted == PY65 and target is not MOS6502 and where == "both":
        return (DEFAULT_ENGINE,)
    return (wanted,)


def _name_engine(engine: str) -> str:
    return "the fastest engine" if engine == DEFAULT_ENGINE else engine


def _compare_speeds(slow: Speed, fast: Speed) -> str:
    """The time that two engines take for the same."""
    return (
        f"{SHUFFLES} shuffles on the 6502: {slow.cycles:,} cycles on {slow.engine} and on "
        f"{fast.engine}, decks equal\n"
        f"{slow.engine} took {1000 * slow.seconds:,.1f} ms, {fast.engine} "
        f"{1000 * fast.seconds:,.2f} ms: {slow.seconds / fast.seconds:,.0f} times as fast"
    )


def _report(target: Target, request: Request, engine: str, variant: Variant) -> None:
    """Show where the cycles of one shuffle go. Raises the first broken contract."""
    from fairdeck.tarot.library import tarot_library
    from fairdeck.tarot.on_machine import LIMIT, SHUFFLE, start

    measured = profile(
        tarot_library(target, request.feedback, request.reduction, variant),
        SHUFFLE,
        mem={**start(request), "deck": bytes(SORTED)},
        lines=_LINES,
        limit=LIMIT,
        engine=engine,
    )
    click.echo()
    click.echo(measured.text(), nl=False)
    if measured.violation is not None:
        raise measured.violation
