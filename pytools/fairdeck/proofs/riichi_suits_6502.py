"""The costs of any suit on the 6502: the honours' by their own routine, others by the automaton,
and those that it does not know by all targets.

The automaton's steps are pieces of their own; of the whole each suit is a case. That the words and
bytes which the automaton's steps lead to are the costs by definition is followed in the ROM
(``riichi_walk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from fairdeck.proofs import riichi_honours
from fairdeck.proofs.riichi_suits import (
    HONOUR_COSTS,
    HONOURS,
    SUIT_COSTS,
    SUITS,
    ask_suit,
    by_targets,
    prove_suits,
)
from fairdeck.proofs.riichi_target_6502 import (
    ALIVE,
    GIVEN,
    STATES,
    WORK,
    ask_target,
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
from fairdeck.proofs.stages import Next, Step, Values, with_loops
from fairdeck.riichi.tables import COSTS, NUMBERS
from romproof import Asked, Finding, Image, Proof, Prover, Stage, table, word

OTHER = f"{SUIT_COSTS}@other"
ROW = "suit_row:little"


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

    gives, ends = ("x", "suit_slot", "suit_next", "suit_tiles", ROW), ("suit_costs@number",)
    lost = "A N V Z C suit"
    step = Step("entry", SUIT_COSTS, ends, model, {"suit": "a"}, gives, "A <= 2", lost)
    return step.prove(own)


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
        "row": ROW,
        "last": "suit_next",
    }
    begin, *others = (f"suit_costs@{where}" for where in ("number", "last", "other"))
    requires = (
        "X <= 26, suit_next <= 26, suit_tiles <= 10, hand[X] <= 4, "
        f"suit_row in {rows.start}..{rows.stop - 1}"
    )
    gives, ends = ("x", "y", "suit_tiles", ROW), (begin, *others)
    return Step("number", begin, ends, model, takes, gives, requires, "A N V Z C").prove(own)


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

    takes = {"count": "y", "slot": "suit_slot", "row": ROW, "suits": "suits"}
    requires = f"Y <= 3, suit_slot <= 20, suit_row in {rows.start}..{rows.stop - 1}"
    begin, lost = "suit_costs@last", "A X Y N V Z C"
    return Step("costs", begin, (), model, takes, ["suits"], requires, lost).prove(own)


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
    given = own.contract(CONTRACT, SUIT_COSTS).inputs[1:4]
    # of other suits the costs stay, so that they are among the inputs of what is asked
    between = riichi_honours.BETWEEN_6502
    stated = with_loops(own, HONOUR_COSTS, between, cycles=None, inputs=given)
    yield own.routine(HONOUR_COSTS, stated, exact=False)
    yield prove_suits(own, CONTRACT, lambda suit: stages(own, suit), simulated)


def stages(own: Prover, suit: int) -> Mapping[str, Stage]:
    """What is done for a suit."""
    if suit == HONOURS:
        return {"": Stage(GIVEN, riichi_honours.hand_on_honours, _ask_honours())}
    return {
        "": Stage(GIVEN, _walk_suit(own.image, own.fixed, suit)),
        OTHER: Stage({**GIVEN, "suit": "suit"}, by_targets, ask_target()),
    }


def ask_costs(question: Callable[..., Values]) -> Asked:
    """The costs of a suit; the states are handed on."""
    return ask_suit(_ask_honours(), GIVEN, WORK, question)


def _ask_honours() -> Asked:
    return riichi_honours.ask_honours(riichi_honours.stages_6502())


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
