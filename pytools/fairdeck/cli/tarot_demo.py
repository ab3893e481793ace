"""``fairdeck tarot demo``: a deck by machine code on each CPU, checked and timed."""

from __future__ import annotations

import click

from fairdeck.cli.choices import seed_option, variant_options
from fairdeck.cli.text import comparison, cost_table, costs, deck_table, heading, show
from fairdeck.data import DEFAULT_ENGINE
from fairdeck.tarot.compare import require_equal
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import SORTED
from fairdeck.tarot.targets import TARGETS, Target
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
    help="Which CPUs shuffle.",
)
@click.option(
    "--engine",
    type=click.Choice(engines()),
    default=DEFAULT_ENGINE,
    show_default=True,
    help="What executes the code.",
)
def demo_command(
    seed: int, feedback: Feedback, reduction: Reduction, where: str, engine: str
) -> None:
    """Build the ROMs, shuffle once on each CPU, and show deck, check and cycles.

    The decks are compared with the model's; then reports tell where the cycles
    of the shuffle went, routine by routine, and a table compares the routines
    of the CPUs.

    \b
    Examples:
      fairdeck tarot demo
      fairdeck tarot demo --seed DEADBEEF --feedback cf --on sm83
    """
    # here and not above: help and the model need neither assembler nor emulator
    from fairdeck.tarot.costs import costs as measured_costs
    from fairdeck.tarot.on_machine import on_machine

    targets = list(TARGETS.values()) if where == "both" else [TARGETS[where]]
    request = Request(seed, 1, feedback, reduction)
    model = on_model(request)
    machines = {target: on_machine(target, request, engine) for target in targets}
    parts = [
        heading(request, " and the ".join(target.title for target in targets)),
        deck_table(machines[targets[0]][-1].deck),
    ]
    for target, outcomes in machines.items():
        check = comparison(target.title, outcomes[-1], model[-1])
        parts.append(costs(outcomes, target.cycles) + "\n" + check)
    show("\n\n".join(parts))
    for target, outcomes in machines.items():
        require_equal(target.title, outcomes, model)
    for target in targets:
        _report(target, request, engine)
    click.echo()
    show(
        cost_table([cost for target in targets for cost in measured_costs(target, request, engine)])
    )


def _report(target: Target, request: Request, engine: str) -> None:
    """Show where the cycles of one shuffle go. Raises the first broken contract."""
    from fairdeck.tarot.on_machine import LIMIT, SHUFFLE, start, tarot_rom

    found = profile(
        tarot_rom(target, request.feedback, request.reduction),
        SHUFFLE,
        mem={**start(request), "deck": bytes(SORTED)},
        lines=_LINES,
        limit=LIMIT,
        engine=engine,
    )
    click.echo()
    click.echo(found.text(), nl=False)
    if found.violation is not None:
        raise found.violation
