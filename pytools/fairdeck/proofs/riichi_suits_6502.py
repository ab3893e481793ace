"""The costs of any suit on the 6502: the honours' by their own routine, others by the automaton,
and those that it does not know by all targets.

The automaton's steps are pieces of their own; of the whole each suit is a case. That the words and
bytes which the automaton's steps lead to are the costs by definition is followed in the ROM
(``riichi_walk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fairdeck.proofs import riichi_honours
from fairdeck.proofs.riichi_target_6502 import (
    ALIVE,
    GIVEN,
    GIVES,
    STATES,
    WORK,
    answer_target,
    ask_target,
    costs_at,
)
from fairdeck.proofs.riichi_target_6502 import proofs as target_proofs
from fairdeck.proofs.riichi_walk import (
    MAX_HELD,
    MAX_TILES,
    Addresses,
    TileCounts,
    Walk,
    judge_walk,
    walk,
)
from fairdeck.proofs.stages import Next, Values, name_after
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Asked, Finding, Image, Proof, Prover, Stage, table, word

ENTRY = """
    ;; entry – where the suit is.
    ; in:       A
    ; requires: A <= 2
    ; out:      X zp suit_slot suit_next suit_tiles suit_row[2]
    ; clobbers: A N V Z C suit
    """
NUMBER = """
    ;; number – one number is taken in.
    ; in:       X Y zp hand[34] melded[34] suit_tiles suit_row[2] suit_next
    ; requires: X <= 26, suit_next <= 26, suit_tiles <= 10, hand[X] <= 4,
    ;           suit_row in {first}..{last}
    ; out:      X Y suit_tiles suit_row[2]
    ; clobbers: A N V Z C
    """
COSTS_OUT = """
    ;; costs – of the suit, by the row of its last number.
    ; in:       Y zp suit_slot suit_row[2] suits[40]
    ; requires: Y <= 3, suit_slot <= 20, suit_row in {first}..{last}
    ; out:      suits[40]
    ; clobbers: A X Y N V Z C
    """


def automaton_proofs(own: Prover) -> Iterable[Proof]:
    """Of the way into the automaton, the step at a number, and the way out."""
    walk = _automaton(own)
    yield _entry(own)
    yield _number(own, range(walk.rows.start, walk.last.stop))
    yield _costs(own, walk.last)


def check_rows(own: Prover) -> Finding:
    """Whether the rows lead to the right costs."""
    walk = _automaton(own)
    return judge_walk(walk, range(walk.rows.start, walk.last.stop))


def _automaton(own: Prover) -> Walk:
    rom, image = own.fixed, own.image
    planes = np.array([image.address(f"cost_plane_{entry}") for entry in range(COSTS)])

    def out(rows: Addresses, counts: TileCounts) -> Addresses:
        which = np.frombuffer(rom, np.uint8)[rows + counts[NUMBERS - 1]]
        places: Addresses = planes[:, None] + which
        return places

    return walk(own, NUMBERS - 1, out)


def _entry(own: Prover) -> Proof:
    root = own.image.address("automaton_root")

    def model(suit: Any) -> Any:
        first = NUMBERS * suit
        return first, COSTS * suit, first + NUMBERS - 1, 0, root

    gives = ("x", "suit_slot", "suit_next", "suit_tiles", "suit_row:little")
    return own.piece(
        ENTRY, "suit_costs", "suit_costs@number", model=model, takes={"suit": "a"}, gives=gives
    )


def _number(own: Prover, rows: range) -> Proof:
    """It goes on to the next number, to the costs, or to another way than the automaton."""
    rom = table(own.fixed[rows.start : rows.stop + 8])

    def model(
        place: Any, before: Any, held: Any, called: Any, tiles: Any, row: Any, last: Any
    ) -> Any:
        count = held[place]
        if called[place] != 0 or count > MAX_HELD:
            return 2, (place, before, tiles, row)
        if tiles + count > MAX_TILES:
            return 2, (place, count, tiles, row)
        if place == last:
            return 1, (place, count, tiles + count, row)
        at = row - rows.start + 2 * count
        following = word([rom[at], rom[at + 1]], "little")
        return 0, (place + 1, 2 * count + 1, tiles + count, following)

    takes = {
        "place": "x",
        "before": "y",
        "held": "hand",
        "called": "melded",
        "tiles": "suit_tiles",
        "row": "suit_row:little",
        "last": "suit_next",
    }
    ends = [f"suit_costs@{where}" for where in ("number", "last", "other")]
    text = NUMBER.format(first=rows.start, last=rows.stop - 1)
    return own.piece(
        text,
        "suit_costs@number",
        *ends,
        model=model,
        takes=takes,
        gives=("x", "y", "suit_tiles", "suit_row:little"),
    )


def _costs(own: Prover, rows: range) -> Proof:
    rom, image = own.fixed, own.image
    which = table(rom[rows.start : rows.stop + MAX_HELD])
    starts = [image.address(f"cost_plane_{entry}") for entry in range(COSTS)]
    planes = [table(rom[start : start + 256]) for start in starts]

    def model(count: Any, slot: Any, row: Any, suits: Any) -> Any:
        vector = which[row - rows.start + count]
        for entry, plane in enumerate(planes):
            suits[slot + entry] = plane[vector]
        return suits

    takes = {"count": "y", "slot": "suit_slot", "row": "suit_row:little", "suits": "suits"}
    text = COSTS_OUT.format(first=rows.start, last=rows.stop - 1)
    return own.piece(text, "suit_costs@last", model=model, takes=takes, gives="suits")


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
        return {"": Stage(GIVEN, riichi_honours.hand_on_honours, _ask_honours())}
    walk = _walk_suit(own.image, own.fixed, suit)
    by_targets = Stage({**GIVEN, "suit": "suit"}, _by_targets, ask_target())
    return {"": Stage(GIVEN, walk), OTHER: by_targets}


def every_stage(own: Prover) -> Mapping[str, Stage]:
    """The same of all suits, as one model that is run with plain numbers."""
    of = [stages(own, suit) for suit in range(SUITS)]
    asked = _ask_honours()

    def begin(suit: int, **v: Any) -> Next:
        answer = asked.function(**asked.question(**v)) if suit == HONOURS else {}
        return of[suit][""].model(**v, **answer)

    return {"": Stage({"suit": "a", **GIVEN}, begin), OTHER: of[0][OTHER]}


def ask_costs(question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    honours = _ask_honours()

    def function(suit: int, hand: Any, melded: Any, suits: Any, **work: Any) -> Values:
        if suit == HONOURS:
            after = honours.function(held=hand, melded=melded, suits=suits)["honours"]
            return name_after({"suits": after, **work})
        return answer_target(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(SUIT_COSTS, question, {"suit": "a", **GIVEN}, name_after(GIVES | WORK), function)


def _ask_honours() -> Asked:
    return riichi_honours.ask_honours(riichi_honours.stages_6502())


def _by_targets(**v: Any) -> Next:
    return "return", {"suits": v["suits_after"]}


def _walk_suit(image: Image, fixed: bytes, suit: int) -> Any:
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
