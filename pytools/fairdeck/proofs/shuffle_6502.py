"""The fast shuffle of the 6502 keeps the deck a permutation, whatever the flips.

It draws for all cards first and exchanges them afterwards: each pick is at its card's place or
before it, and the exchanges are the model's, for all such picks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairdeck.proofs.shuffle_groups import (
    COARSE,
    FLIPS_A_BYTE,
    GROUPS,
    cards_of,
    flips_after,
    without_dependences,
)
from fairdeck.proofs.tarot_bank import tarot_bank
from fairdeck.tarot.shuffle import CARDS
from fairdeck.tarot.targets import MOS6502
from romproof import Proof, ProofOptions, Prover

RESTREAM = """
    ;; restream – make the stream anew.
    ; in:       X Y zp ${begun:04X}[68]
    ; requires: Y in 1..STREAM_USABLE
    ; out:      Y shuffle_spare shuffle_stream[69]
    ; ensures:  Y == 1, shuffle_spare == SPARE_76 - 1, shuffle_card == X
    ; clobbers: A N V Z C shuffle_card
    """

DRAWS = """
    ;; shuffle – the draws for all cards.
    ; in:       zp lfsr[4] rng flips_left
    ; requires: flips_left <= 8
    ; out:      lfsr[4] rng flips_left shuffle_picks[78]
    ; ensures:  all j in 1..77: shuffle_picks[j] <= j
    ; clobbers: A X Y N V Z C shuffle_stream[69] shuffle_value shuffle_digits shuffle_spare
    ;   shuffle_shift shuffle_vector[2] shuffle_card shuffle_place shuffle_state shuffle_left
    ;   shuffle_range shuffle_limit shuffle_cut
    """

EXCHANGES = """
    ;; exchanges – exchange each card with the one drawn for it.
    ; in:       zp shuffle_picks[78] deck[78]
    ; requires: all j in 1..77: shuffle_picks[j] <= j
    ; out:      deck[78]
    ; clobbers: A X Y N Z
    """


def _room(k: int, flips: int, y: str, x: str, spare: str) -> str:
    """That the stream lasts for the group of ``k``, with ``flips`` left in the current byte.

    ``x`` says how many draws of the group are still to begin; ``spare`` is for overshoots, in
    bytes for the first groups and in flips for the last.
    """
    if k > COARSE:
        after = 32 if k == 7 else 0
        return f"{y} + {x} + {after} + {spare} <= STREAM_USABLE"
    return f"8 * {y} + {k} * ({x}) + {flips_after(k)} + {spare} <= 8 * STREAM_USABLE + {flips}"


def invariants() -> Iterator[str]:
    """One for each place, as contracts write them."""
    for k in GROUPS:
        first = 1 << (k - 1)
        inside = f"X < {cards_of(k)}, shuffle_spare <= 127"
        begun = "Y in 1..STREAM_USABLE"
        drawn = f"all j in 1..77: j > X + {first} -> shuffle_picks[j] <= j"
        for flips in FLIPS_A_BYTE:
            room = _room(k, flips, "Y", "(X + 1)", "shuffle_spare")
            # a shuffle may begin with a whole byte: then none of the stream is under way
            any_ = "Y <= STREAM_USABLE" if k == 7 and not flips else begun
            yield f"draw{k}::draw_{flips}: {inside}, {any_}, {room}, {drawn}"
            if k > 2:
                # a draw from 2^k numbers never overshoots
                some = inside if k == 7 else f"{inside}, X < {cards_of(k) - 1}"
                room = _room(k, flips, "Y", "X", "shuffle_spare")
                yield f"draw{k}::flip_{flips}: {some}, {begun}, {room}, {drawn}"
    drawn = "all j in 2..77: shuffle_picks[j] <= j"
    for flips in FLIPS_A_BYTE:
        room = f"8 * Y + 1 <= 8 * STREAM_USABLE + {flips}"
        yield f"draw1::draw_{flips}: Y in 1..STREAM_USABLE, {room}, {drawn}"
    yield "rare_draw: " + ", ".join(_rare())


def _rare() -> Iterator[str]:
    """Of the draws that are finished by slower code for all groups alike."""
    yield "shuffle_left <= 7"
    yield "shuffle_state in 16..63"
    yield "shuffle_spare <= 127"
    yield "shuffle_place in 1..STREAM_USABLE"
    yield "all j in 1..77: j >= shuffle_limit -> shuffle_picks[j] <= j"
    for k in GROUPS:
        here = f"shuffle_state in {8 * k}..{8 * k + 7} ->"
        limit = f"shuffle_limit == shuffle_card + {(1 << k - 1) + 1}"
        yield f"{here} shuffle_card < {cards_of(k)} and {limit}"
        if k > COARSE:
            yield f"{here} {_room(k, 0, 'shuffle_place', 'shuffle_card', 'shuffle_spare')}"
        else:
            room = _room(k, 0, "shuffle_place", "shuffle_card", "shuffle_spare")
            yield f"{here} {room} + shuffle_left"


def prove_restream(own: Prover) -> Proof:
    """What makes the stream anew; then it is a lemma in the bank."""
    image = own.image
    # the first byte of the stream is never written, nor read
    text = RESTREAM.format(begun=image.address("shuffle_stream") + 1)
    contract = without_dependences(own.contract(text, "restream"))
    return own.routine("restream", contract, exact=False)


def prove_6502(options: ProofOptions) -> Proof:
    """The draws, and then the exchanges."""
    own = tarot_bank(MOS6502, options)
    again = prove_restream(own)
    lines = "".join(f"    ; invariant: {line}\n" for line in invariants())
    draws = own.contract(DRAWS + lines, "shuffle")
    drawn = own.piece(without_dependences(draws), "shuffle", "shuffle_exchanges")
    swaps = own.piece(EXCHANGES, "shuffle_exchanges")
    permuted = own.permutes("deck")
    same = own.piece(EXCHANGES, "shuffle_exchanges", model=_exchange_cards, gives=("deck",))
    return Proof.join("shuffle", again, drawn, swaps, same, facts=[permuted])


def _exchange_cards(shuffle_picks: Any, deck: Any) -> Any:
    for place in range(CARDS - 1, 0, -1):
        drawn = shuffle_picks[place]
        deck[drawn], deck[place] = deck[place], deck[drawn]
    return deck
