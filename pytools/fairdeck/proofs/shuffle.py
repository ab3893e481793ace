"""The shuffles keep the deck a permutation, whatever the flips.

The small one is the model's for all of them. The fast and the balanced one are state machines; an
invariant for each place says which cards have been drawn for, and that flips do not run out. What
the flips are does not matter for this.
"""

from __future__ import annotations

from functools import partial

from fairdeck.proofs.shuffle_6502 import prove_6502
from fairdeck.proofs.shuffle_balanced import prove_balanced, prove_balanced_model
from fairdeck.proofs.shuffle_fast import prove_fast
from fairdeck.proofs.shuffle_sm83 import prove_sm83
from fairdeck.proofs.shuffle_small import prove_small
from fairdeck.proofs.statement import Statement
from fairdeck.tarot.targets import TARGETS

CLAIM = (
    "every shuffle leaves the 78 cards that were there, in some order, and touches no other "
    "memory; each card is exchanged with one at its own place or before it"
)
SAME = (
    "the small variant's shuffle is the model's, draw by draw and exchange by exchange, for every "
    "state of the generator and every deck: the order of the cards and the generator after it"
)
CHANCE = "it draws for each card until the flips decide"


def statements() -> tuple[Statement, ...]:
    """All of them, for both CPUs."""
    rows = [
        Statement("tarot", "6502", "shuffle", CLAIM, prove_6502, CHANCE),
        Statement("tarot", "sm83", "shuffle", CLAIM, prove_sm83, CHANCE),
    ]
    for prove, name, claim in (
        (prove_balanced, "balanced", f"{CLAIM}: of the balanced variant"),
        (prove_small, "small", SAME),
    ):
        rows += [
            Statement("tarot", cpu, f"shuffle-{name}", claim, partial(prove, target), CHANCE)
            for cpu, target in TARGETS.items()
        ]
    rows += [
        Statement(
            "tarot",
            cpu,
            "shuffle-balanced-model",
            SAME.replace("small", "balanced"),
            partial(prove_balanced_model, target),
            CHANCE,
            long=True,
        )
        for cpu, target in TARGETS.items()
    ]
    fast = SAME.replace("small", "fast")
    rows.append(
        Statement("tarot", "sm83", "shuffle-fast-model", fast, prove_fast, CHANCE, long=True)
    )
    return tuple(rows)
