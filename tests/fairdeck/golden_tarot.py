"""The golden file of the tarot ROM: decks, states and cycles of some runs.

The decks and states in it are checked against the model wherever the file is
used; what it pins are the cycles. Run this file to write it anew, after a
change that is meant to change the cycles:

    python tests/fairdeck/golden_tarot.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fairdeck.tarot.draw import Reduction
from fairdeck.tarot.feedback import FEEDBACKS
from fairdeck.tarot.on_6502 import on_6502
from fairdeck.tarot.runs import Request
from fairdeck.tarot.seed import format_state
from romproof.text.files import write_atomically

FILE = Path(__file__).parents[1] / "golden" / "tarot_6502.json"

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


def as_golden(request: Request) -> dict[str, Any]:
    """What the 6502 does with a request, as the file has it."""
    outcomes = on_6502(request)
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
    """Write the file."""
    rows = ",\n".join("  " + json.dumps(as_golden(request)) for request in REQUESTS)
    write_atomically(FILE, f"[\n{rows}\n]\n")


if __name__ == "__main__":
    main()
