"""That a shuffle exchanges the last card with one before it, then the last but one, and so on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairdeck.tarot.shuffle import CARDS
from romproof import Exchange, Finding, Prover, Verdict

DECK = "deck"


def exchanges(
    own: Prover, register: str, cards: int = CARDS, *, more: int = 0
) -> Iterator[Finding]:
    """That the deck stays a permutation, and which of its first ``cards`` are exchanged, by the
    code that was proved last. ``more`` than in ``register`` is the number of cards left."""
    first = own.permutes(DECK)
    yield first
    if first.verdict is Verdict.PROVED:
        before_deck = own.image.address(DECK) - 1
        yield own.exchanges(
            DECK,
            f"cards {cards - 1} to 1 are exchanged one after the other, each with one at its own "
            "place or before it",
            lambda exchange: _in_turn(exchange, register, more, before_deck, cards),
        )


def _in_turn(exchange: Exchange, register: str, more: int, before_deck: int, cards: int) -> Any:
    """What has to hold of an exchange, and of the number of cards left after it."""
    left, after = exchange.before[register] + more, exchange.after[register] + more
    if exchange.begins:
        return not exchange.places and not exchange.ends and after == cards
    if not exchange.places:
        return not exchange.ends and after == left
    if len(exchange.places) > 1:
        return False
    card, (one, other) = before_deck + left, exchange.places[0]
    # nothing is left to be exchanged when there is but one card
    next_ = left == 2 if exchange.ends else after == left - 1
    return ((one == card) | (other == card)) & (one <= card) & (other <= card) & next_
