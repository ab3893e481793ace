"""The same questions answered by machine code, as far as it goes, under the same names.

The 8-bit routines know shanten, ukeire, discards, complete hands and which calls there are; yaku,
and what a hand is after a call, only the model knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairdeck.riichi.cases import Answer, Case, hand_in, name_tiles, text_in, tile_in, visible_in
from fairdeck.riichi.on_machine import Brain
from fairdeck.tiles import NAMES


def analyze(case: Case, brain: Brain) -> Answer:
    """Shanten, and ukeire or discards; ``cycles`` of all that was asked."""
    hand = hand_in(case, "tiles")
    brain.take(hand, visible_in(case))
    count = brain.shanten()
    answer: Answer = {
        "normal": count.normal,
        "chiitoi": count.chiitoi,
        "kokushi": count.kokushi,
        "shanten": count.best,
    }
    cycles = {"shanten": brain.cycles}
    if hand.size % 3 == 1:
        helps = brain.ukeire()
        cycles["ukeire"] = brain.cycles
        answer |= {"ukeire": name_tiles(helps), "ukeire_count": sum(helps.values())}
    else:
        options = brain.discards()
        cycles["best_discard"] = brain.cycles
        chosen = brain.best()
        answer["discards"] = {NAMES[kind]: list(after) for kind, after in options.items()}
        answer["best"] = {
            "shanten": options[chosen[0]][0],
            "ukeire_count": options[chosen[0]][1],
            "tiles": [NAMES[kind] for kind in chosen],
        }
    return answer | {"cycles": cycles}


def win(case: Case, brain: Brain) -> Answer:
    """Whether the hand with the tile is complete."""
    brain.take(hand_in(case, "closed").plus(tile_in(case, "win")))
    return {"complete": brain.complete(), "cycles": {"complete": brain.cycles}}


def call(case: Case, brain: Brain) -> Answer:
    """Which calls there are on a discard, or which kans on one's own turn."""
    hand = hand_in(case, "hand")
    brain.take(hand)
    if "discard" not in case:
        closed, added = brain.own_kans(hand)
        return {
            "closed_kan": [NAMES[kind] for kind in closed],
            "added_kan": [NAMES[kind] for kind in added],
            "cycles": {"own_kans": brain.cycles},
        }
    before = brain.shanten().best
    from_left = text_in(case, "discarder", "left") == "left"
    options = brain.calls(tile_in(case, "discard"), from_left)
    return {
        "shanten_before": before,
        "can_pon": options.can_pon,
        "can_kan": options.can_kan,
        "chii": [[NAMES[kind] for kind in use] for use in options.chii],
        "completes_hand": options.completes_hand,
        "cycles": {"call_options": brain.cycles},
    }


MACHINE_QUESTIONS: Mapping[str, Callable[[Case, Brain], Answer]] = {
    "analyze": analyze,
    "win": win,
    "calls": call,
}
"""By the command's name."""
