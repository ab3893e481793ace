"""The costs of any suit on the 6502, as stages: the honours' by their own routine, others by the
automaton, and those that it does not know by all targets.

Each suit is a case of its own. That the words and bytes which the automaton's steps lead to are the
costs by definition is followed in the ROM (``riichi_walk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairdeck.proofs import riichi_honours
from fairdeck.proofs.riichi_pulls_6502 import ALIVE, STATES, Next, Values
from fairdeck.proofs.riichi_target_6502 import (
    GIVEN,
    GIVES,
    WORK,
    answer_of,
    answered,
    asked_target,
    costs_at,
)
from fairdeck.proofs.riichi_target_6502 import proofs as target_proofs
from fairdeck.proofs.riichi_walk import MAX_HELD, MAX_TILES
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Asked, Image, Proof, Prover, Stage, table, word

SUIT_COSTS, HONOUR_COSTS = "suit_costs", "honour_costs"
OTHER = f"{SUIT_COSTS}@other"
SUITS = 4
HONOURS = SUITS - 1

CONTRACT = f"""
    ;; {SUIT_COSTS} – missing tiles of a suit, with the states of targets among the inputs.
    ; in:        A hand[34] melded[34] suits[40] target_states[{STATES}] target_alive[{ALIVE}]
    ; requires:  A < {SUITS}, sound_tiles
    ; out:       suit suit_slot suits[40] target_states[{STATES}] target_alive[{ALIVE}]
    ; ensures:   suit == old A, suit_slot == {COSTS} * old A
    ; clobbers:  as {HONOUR_COSTS}, as target, suit_row[2] suit_next suit_tiles
    ; stack:     4
    ; invariant: {OTHER}: suit == old A, suit < {HONOURS}
    """


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """What is asked, by contracts; then each suit. If not ``simulated``, its contract only."""
    yield from target_proofs(own, simulated=False)
    contract = own.contract(CONTRACT, SUIT_COSTS)
    between = own.contract(riichi_honours.BETWEEN_6502, HONOUR_COSTS).invariants
    stated = replace(own.contracts[HONOUR_COSTS], cycles=None, invariants=between)
    # of other suits the costs stay, so that they are among the inputs of what is asked
    yield own.routine(HONOUR_COSTS, replace(stated, inputs=contract.inputs[1:4]), exact=False)
    if simulated:
        yield own.cases(contract, "A", range(SUITS), lambda suit: stages(own, suit), GIVES)
    else:
        yield own.cases(contract, "A", range(SUITS))


def stages(own: Prover, suit: int) -> Mapping[str, Stage]:
    """What is done for a suit."""
    if suit == HONOURS:
        return {"": Stage(GIVEN, _honours, _asked_honours())}
    walk = _walk(own.image, own.fixed, suit)
    by_targets = Stage({**GIVEN, "suit": "suit"}, _by_targets, asked_target())
    return {"": Stage(GIVEN, walk), OTHER: by_targets}


def every_stage(own: Prover) -> Mapping[str, Stage]:
    """The same of all suits, as one model that is run with plain numbers."""
    of = [stages(own, suit) for suit in range(SUITS)]
    asked = _asked_honours()

    def begin(suit: int, **v: Any) -> Next:
        answer = asked.function(**asked.question(**v)) if suit == HONOURS else {}
        return of[suit][""].model(**v, **answer)

    return {"": Stage({"suit": "a", **GIVEN}, begin), OTHER: of[0][OTHER]}


def asked_costs(question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    honours = _asked_honours()

    def function(suit: int, hand: Any, melded: Any, suits: Any, **work: Any) -> Values:
        if suit == HONOURS:
            after = honours.function(held=hand, melded=melded, suits=suits)["honours"]
            return answer_of({"suits": after, **work})
        return answered(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(SUIT_COSTS, question, {"suit": "a", **GIVEN}, answer_of(GIVES | WORK), function)


def _honours(honours: Any, **v: Any) -> Next:
    return "return", {"suits": honours}


def _asked_honours() -> Asked:
    given = {"held": "hand", "melded": "melded", "suits": "suits"}
    steps = Asked.staged(
        HONOUR_COSTS, riichi_honours.stages_6502(), {"suits": "suits"}, lambda **v: v
    )

    def question(hand: Any, melded: Any, suits: Any, **_others: Any) -> Values:
        return {"held": hand, "melded": melded, "suits": suits}

    def function(**v: Any) -> Values:
        return {"honours": steps.function(**v)["suits_after"]}

    return Asked(HONOUR_COSTS, question, given, {"honours": "suits"}, function)


def _by_targets(**v: Any) -> Next:
    return "return", {"suits": v["suits_after"]}


def _walk(image: Image, fixed: bytes, suit: int) -> Any:
    """From row to row by the counts of the numbers, unless it is a suit for the other way."""
    rom = table(fixed)
    root = image.address("automaton_root")
    planes = [image.address(f"cost_plane_{entry}") for entry in range(COSTS)]

    def walk(hand: Any, melded: Any, suits: Any, **work: Any) -> Next:
        kinds = range(NUMBERS * suit, NUMBERS * (suit + 1))
        known: Any = True
        row: Any = root
        tiles: Any = 0
        for kind in kinds:
            held = hand[kind]
            tiles += held
            known = known & (melded[kind] == 0) & (held <= MAX_HELD) & (tiles <= MAX_TILES)
            if kind < kinds[-1]:
                row = word([rom[row + 2 * held], rom[row + 2 * held + 1]], "little")
        if not known:
            return OTHER, {"hand": hand, "melded": melded, "suits": suits, "suit": suit, **work}
        vector = rom[row + hand[kinds[-1]]]
        for entry in range(COSTS):
            suits[COSTS * suit + entry] = rom[planes[entry] + vector]
        return "return", {"suits": suits}

    return walk
