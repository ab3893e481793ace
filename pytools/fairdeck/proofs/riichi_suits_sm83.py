"""The costs of any suit on the SM83, as stages: the honours' by their own routine, others by the
automaton, and those that it does not know by all targets.

Each suit is a case of its own. That the words which the automaton's steps lead to are those of the
costs by definition is followed in the ROM (``riichi_walk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairdeck.proofs import riichi_honours_sm83, riichi_target_sm83
from fairdeck.proofs.riichi_target_6502 import answer_of, answered, costs_at
from fairdeck.proofs.riichi_target_sm83 import GIVEN, GIVES, TARGET_FROM, WORK, asked_target
from fairdeck.proofs.riichi_walk import MOST_HELD, MOST_TILES
from fairdeck.proofs.riichi_ways_sm83 import STATES, Next, Values
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Asked, Image, Proof, Prover, Stage, table

SUIT_COSTS, HONOUR_COSTS = "suit_costs", "honour_costs"
SLOW = f"{SUIT_COSTS}.slow"
SUITS = 4
HONOURS = SUITS - 1

ASKING = {**GIVEN, "melds": "melds"}

CONTRACT = f"""
    ;; {SUIT_COSTS} – missing tiles of a suit, with what is worked on among the inputs.
    ; in:        A hand[34] melded[34] melds suits[40] target_states[{STATES}]
    ; requires:  A < {SUITS}, sound_tiles
    ; out:       suits[40] target_states[{STATES}]
    ; clobbers:  as {HONOUR_COSTS}, as {TARGET_FROM}
    ; stack:     18
    ; invariant: {SLOW}: C == (&suits & $FF) + {COSTS} * old A,
    ;            E == (&hand & $FF) + {NUMBERS} * old A
    """


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """What is asked, by contracts; then each suit. If not ``simulated``, its contract only."""
    yield from riichi_target_sm83.proofs(own, simulated=False)
    yield from riichi_honours_sm83.proofs(own, simulated=False)
    contract = own.contract(CONTRACT, SUIT_COSTS)
    if simulated:
        yield own.cases(contract, "A", range(SUITS), lambda suit: stages(own, suit), GIVES)
    else:
        yield own.cases(contract, "A", range(SUITS))


def stages(own: Prover, suit: int) -> Mapping[str, Stage]:
    """What is done for a suit."""
    if suit == HONOURS:
        return {"": Stage(ASKING, _honours, _asked_honours(own.image))}
    asking = {**GIVEN, "c": "c", "e": "e"}
    return {
        "": Stage(ASKING, _walk(own.image, own.fixed, suit)),
        SLOW: Stage(asking, _by_targets, asked_target(own.image)),
    }


def every_stage(own: Prover) -> Mapping[str, Stage]:
    """The same of all suits, as one model that is run with plain numbers."""
    of = [stages(own, suit) for suit in range(SUITS)]
    asked = _asked_honours(own.image)

    def begin(suit: int, **v: Any) -> Next:
        answer = asked.function(**asked.question(**v)) if suit == HONOURS else {}
        return of[suit][""].model(**v, **answer)

    return {"": Stage({"suit": "a", **ASKING}, begin), SLOW: of[0][SLOW]}


def asked_costs(image: Image, question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    honours = _asked_honours(image)

    def function(suit: int, hand: Any, melded: Any, melds: int, suits: Any, **work: Any) -> Values:
        if suit == HONOURS:
            after = honours.function(held=hand, melded=melded, suits=suits)["honours"]
            return answer_of({"suits": after, **work})
        return answered(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(SUIT_COSTS, question, {"suit": "a", **ASKING}, answer_of(GIVES | WORK), function)


def _honours(honours: Any, **v: Any) -> Next:
    return "return", {"suits": honours}


def _asked_honours(image: Image) -> Asked:
    one = riichi_honours_sm83.honour_costs(image)
    steps = Asked.staged(HONOUR_COSTS, one.stages, one.gives, lambda **v: v)

    def question(hand: Any, melded: Any, suits: Any, **_others: Any) -> Values:
        return {"held": hand, "melded": melded, "suits": suits}

    def function(**v: Any) -> Values:
        return {"honours": steps.function(**v)["suits_after"]}

    given = one.stages[""].takes
    return Asked(HONOUR_COSTS, question, given, {"honours": "suits"}, function)


def _by_targets(suits_after: Any, **_others: Any) -> Next:
    return "return", {"suits": suits_after}


def _walk(image: Image, fixed: bytes, suit: int) -> Any:
    """From row to row by the counts of the numbers, unless it is a suit for the other way."""
    rom = table(fixed)
    root = image.address("automaton_root")
    place = {"c": (image.address("suits") & 0xFF) + COSTS * suit}
    place |= {"e": (image.address("hand") & 0xFF) + NUMBERS * suit}

    def walk(hand: Any, melded: Any, melds: Any, suits: Any, **work: Any) -> Next:
        kinds = range(NUMBERS * suit, NUMBERS * (suit + 1))
        called: Any = 0
        tiles: Any = 0
        known: Any = True
        high, low = root >> 8, root & 0xFF
        for kind in kinds:
            called |= melded[kind]
            tiles += hand[kind]
            known = known & (hand[kind] <= MOST_HELD)
            at = 256 * high + (low | 2 * hand[kind])
            low, high = rom[at], rom[at + 1]
        known = known & (tiles <= MOST_TILES) & ((melds == 0) | (called == 0))
        if not known:
            return SLOW, {"hand": hand, "melded": melded, "suits": suits, **place, **work}
        for entry in range(COSTS):
            suits[COSTS * suit + entry] = rom[256 * high + low + entry]
        return "return", {"suits": suits}

    return walk
