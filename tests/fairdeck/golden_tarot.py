"""The golden files of the tarot ROMs: decks, states and cycles of some runs.

The decks and states in them are checked against the model wherever the files are
used; what they pin are the cycles. Run this file to write them anew, after a
change that is meant to change the cycles:

    python tests/fairdeck/golden_tarot.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import FEEDBACKS
from fairdeck.tarot.on_machine import on_machine
from fairdeck.tarot.runs import Request
from fairdeck.tarot.seed import format_state
from fairdeck.tarot.targets import TARGETS, Target
from fairdeck.tarot.variants import FAST
from romproof.support.files import write_atomically


def golden_file(target: Target) -> Path:
    """Where the runs on a CPU are kept."""
    return Path(__file__).parents[1] / "golden" / f"tarot_{target.name}.json"


REQUESTS = tuple(
    Request(seed, 3, FEEDBACKS[name], reduction)
    for seed, name, reduction in (
        *((0x12345678, name, reduction) for name in FEEDBACKS for reduction in Reduction),
        (0x00000001, "a3", Reduction.CORRECT),
        (0xFFFFFFFF, "a3", Reduction.CORRECT),
        (0xDEADBEEF, "a3", Reduction.CORRECT),
        (FEEDBACKS["c5"].short, "c5", Reduction.CORRECT),
        (FEEDBACKS["cf"].short, "cf", Reduction.CORRECT),
    )
)


def as_golden(target: Target, request: Request) -> dict[str, Any]:
    """What a CPU does with a request, as its file has it."""
    outcomes = on_machine(target, request, variant=FAST)
    return {
        "seed": format_state(request.seed),
        "feedback": request.feedback.name,
        "reduction": request.reduction.value,
        "decks": [bytes(one.deck).hex() for one in outcomes],
        "states": [format_state(one.generator.state) for one in outcomes],
        "flips": [one.flips for one in outcomes],
        "cycles": [one.cycles for one in outcomes],
    }


def main() -> None:
    """Write the files."""
    for target in TARGETS.values():
        rows = ",\n".join("  " + json.dumps(as_golden(target, request)) for request in REQUESTS)
        write_atomically(golden_file(target), f"[\n{rows}\n]\n")


if __name__ == "__main__":
    main()
