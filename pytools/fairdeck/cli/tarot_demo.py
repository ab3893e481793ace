"""``fairdeck tarot demo``: a deck by machine code, checked and timed."""

from __future__ import annotations

import click

from fairdeck.cli.choices import seed_option, variant_options
from fairdeck.cli.text import comparison, costs, deck_table, heading, show
from fairdeck.tarot.compare import require_equal
from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import Feedback
from fairdeck.tarot.runs import Request, on_model
from fairdeck.tarot.shuffle import SORTED
from romproof.engine.engines import DEFAULT_ENGINE, engine_names

_LINES = 5


@click.command("demo")
@seed_option(default="12345678", show_default=True)
@variant_options
@click.option(
    "--engine",
    type=click.Choice(engine_names()),
    default=DEFAULT_ENGINE,
    show_default=True,
    help="What executes the code.",
)
def demo_command(seed: int, feedback: Feedback, reduction: Reduction, engine: str) -> None:
    """Build the ROM, shuffle once on the 6502, and show deck, check and cycles.

    The deck is compared with the model's; then a report tells where the cycles
    of the shuffle went, routine by routine.

    \b
    Examples:
      fairdeck tarot demo
      fairdeck tarot demo --seed DEADBEEF --feedback cf
    """
    # here and not above: help and the model need neither assembler nor emulator
    from fairdeck.tarot.on_6502 import LIMIT, SHUFFLE, on_6502, start, tarot_rom
    from romproof.cli.measuring import Wanted, measure
    from romproof.cli.output import reporter

    request = Request(seed, 1, feedback, reduction)
    machine, model = on_6502(request, engine), on_model(request)
    show(
        "\n\n".join(
            (
                heading(request, "6502"),
                deck_table(machine[-1].deck),
                costs(machine),
                comparison(machine[-1], model[-1]),
            )
        )
    )
    require_equal(machine, model)
    wanted = Wanted(
        symbol=SHUFFLE,
        registers={},
        flags={},
        memory={**start(request), "deck": bytes(SORTED)},
        repeat=1,
        clock=None,
        lines=_LINES,
        limit=LIMIT,
        engine=engine,
    )
    report, measured = measure(tarot_rom(feedback, reduction), wanted, lambda: None)
    click.echo()
    click.echo(reporter(False).cycles(report), nl=False)
    if measured.violation is not None:
        raise measured.violation
