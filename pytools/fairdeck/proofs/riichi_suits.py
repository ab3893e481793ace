"""The costs of any suit: what both CPUs have alike. Each suit is a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairdeck.proofs.riichi_honours import GIVES
from fairdeck.proofs.riichi_target_6502 import answer_target, costs_at
from fairdeck.proofs.riichi_walk import MAX_HELD, MAX_TILES
from fairdeck.proofs.stages import Next, Stages, Values, name_after
from fairdeck.riichi.tables import NUMBERS
from fairdeck.tiles import KINDS
from romproof import Asked, Proof, Prover

SUIT_COSTS, HONOUR_COSTS = "suit_costs", "honour_costs"
SUITS = 4
HONOURS = SUITS - 1


def prove_suits(own: Prover, text: str, stages: Callable[[int], Stages], simulated: bool) -> Proof:
    """Each suit by a contract; where ``simulated``, with its stages."""
    contract = own.contract(text, SUIT_COSTS)
    if simulated:
        return own.cases(contract, "A", range(SUITS), stages, GIVES)
    return own.cases(contract, "A", range(SUITS))


def by_targets(suits_after: Any, **_others: Any) -> Next:
    """The end of the costs of a suit that the automaton does not know."""
    return "return", {"suits": suits_after}


def ask_suit(
    honours: Asked, asking: Mapping[str, str], work: Mapping[str, str], question: Any
) -> Asked:
    """The costs of a suit; the states are handed on."""

    def function(suit: int, hand: Any, melded: Any, suits: Any, **v: Any) -> Values:
        left = {name: v[name] for name in work}
        if suit == HONOURS:
            after = honours.function(held=hand, melded=melded, suits=suits)["honours"]
            return name_after({"suits": after, **left})
        kinds = slice(NUMBERS * suit, NUMBERS * (suit + 1))
        known = sum(hand[kinds]) <= MAX_TILES and max(hand[kinds]) <= MAX_HELD
        # without melds the SM83 does not look for their tiles, unless by all targets
        called = [0] * KINDS if known and v.get("melds") == 0 else melded
        return answer_target(costs_at(suit, hand, called), suit, suits, left)

    return Asked(
        SUIT_COSTS, question, {"suit": "a", **asking}, name_after({**GIVES, **work}), function
    )
