"""The costs of a suit by all its targets on the SM83, group by group of states.

States are among the inputs: of a number only so many groups are made as runs may begin, and no more
are read at the next one, which is more than the prover knows of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairdeck.proofs.riichi_target_6502 import answer_of, answered, costs_at
from fairdeck.proofs.riichi_ways_sm83 import (
    ARRAY,
    FAR,
    INTO,
    PAGE,
    RUNS,
    STATES,
    Next,
    Values,
    into_of,
    ways_of,
)
from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import COPIES, KINDS
from romproof import Asked, Image, Proof, Prover, Stage, choose

TARGET, TARGET_FROM = "target", "target_from"
NUMBER, LAST, ONE, TWO, ENDED = (
    f"{TARGET_FROM}.{name}" for name in ("number", "last", "one", "two", "ended")
)
AFTER_BEFORE, AFTER_LAST = COSTS, RUNS * COSTS
"""How far the groups are apart of which one run more began before, or at the last number."""

WORK = {"states": "target_states"}
TILES = {"hand": "hand", "melded": "melded"}
GIVEN = {**TILES, "suits": "suits", **WORK}
GIVES = {"suits": "suits"}
SUIT = {**GIVEN, "slot": "target_costs", "array": "target_array"}
NUMBERED = {
    **SUIT,
    "left": "target_left",
    "tile": "target_tile",
    "last": "target_last",
    "before": "target_before",
}
MADE = {
    **NUMBERED,
    "begin": "target_begin",
    "own": "target_own",
    "most": "target_most",
    "stop": "target_stop",
    "c": "c",
    "d": "d",
    "e": "e",
    "h": "h",
    "l": "l",
}
AGAIN = {**MADE, "group": "target_group"}


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """A group with so many runs, all ways into a group, and all of them; what is asked comes first.
    If not ``simulated``, their contracts only."""
    every = [*map(ways_of, range(RUNS)), *map(into_of, range(RUNS))]
    for one in (*every, target_from(own.image), target(own.image)):
        yield own.routine(one.routine, own.contract(one.contract, one.routine), exact=False)
        if simulated:
            yield own.simulates(one.stages, one.gives)


def target_from(image: Image) -> Staged:
    """Of each number the groups of states after it, by the runs that begin there and before."""
    hand, suits = image.address("hand") & 0xFF, image.address("suits") & 0xFF
    page = image.address("target_states") >> 8

    def begin(e: Any, c: Any, states: Any, **v: Any) -> Next:
        states[0] = 0
        for entry in range(1, COSTS):
            states[entry] = FAR
        here = {"slot": c, "array": 0, "left": NUMBERS, "tile": e, "last": 0, "before": 0}
        return NUMBER, {**v, **here, "states": states}

    def number(**v: Any) -> Next:
        place = v["tile"] - hand
        v |= {"tile": v["tile"] + 1}
        own, runs = v["hand"][place], 0
        if v["left"] >= RUNS:
            runs = own
            for other in (1, 2):
                of_other = v["hand"][place + other]
                runs = choose(runs < of_other, of_other, runs)
            runs = choose(runs < RUNS, runs, RUNS - 1)
        if own | runs | v["last"] | v["before"] == 0:
            return _next(v)
        array = ARRAY - v["array"]
        made = {"e": v["array"], "l": array, "c": 0, "stop": v["before"] + 1, "d": page, "h": page}
        most = COPIES - v["melded"][place] & 0xFF
        return LAST, {**v, **made, "array": array, "begin": runs, "own": own, "most": most}

    def last(states_after: Any, **v: Any) -> Next:
        v |= {"states": states_after}
        if v["begin"] == 0:
            return begun(**v, group=v["l"])
        return ONE, {**v, "group": v["l"], "l": v["l"] + AFTER_LAST}

    def one(states_after: Any, **v: Any) -> Next:
        v |= {"states": states_after}
        if v["begin"] == 1:
            return begun(**v)
        return TWO, {**v, "l": v["l"] + AFTER_LAST}

    def two(states_after: Any, **v: Any) -> Next:
        return begun(**{**v, "states": states_after})

    def begun(**v: Any) -> Next:
        """All groups are made of which so many runs began at the last number."""
        if v["last"] != v["c"]:
            on = {"c": v["c"] + 1, "stop": v["stop"] + 1}
            on |= {"e": v["e"] + AFTER_LAST, "l": v["group"] + AFTER_BEFORE}
            here = {**v, **on}
            return LAST, {name: here[name] for name in MADE}
        return _next({**v, "before": v["last"], "last": v["begin"]})

    def ended(slot: Any, array: Any, **v: Any) -> Next:
        return "return", {"suits": _costs(v["suits"], slot - suits, v["states"], array)}

    stages = {
        "": Stage({"c": "c", "e": "e", **GIVEN}, begin),
        NUMBER: Stage(NUMBERED, number),
        LAST: Stage(MADE, last, _asked(0)),
        ONE: Stage(AGAIN, one, _asked(1)),
        TWO: Stage(AGAIN, two, _asked(2)),
        ENDED: Stage(SUIT, ended),
    }
    return Staged(TARGET_FROM, _contract(), stages, GIVES)


def _contract() -> str:
    def joined(*conditions: str) -> str:
        return ",\n    ;            ".join(conditions)

    places = "(&suits & $FF)..(&suits & $FF) + 20"
    kept = joined(
        "target_costs == old C",
        f"target_costs in {places}",
        f"target_array == 0 or target_array == {ARRAY}",
        PAGE,
    )
    most = RUNS - 1
    number = joined(
        kept,
        f"target_left in 1..{NUMBERS}",
        f"target_last <= {most}",
        f"target_before <= {most}",
    )
    made = joined(
        number,
        f"target_tile == old E + {NUMBERS + 1} - target_left",
        f"target_begin <= {most}",
        "C <= target_last",
        f"C <= {most}",
        "target_stop == C + target_before + 1",
        f"target_stop in 1..{2 * most + 1}",
        f"E == {ARRAY} - target_array + {AFTER_LAST} * C",
    )

    def again(begun: int) -> str:
        return joined(
            made,
            f"target_begin >= {begun}",
            f"target_group == target_array + {AFTER_BEFORE} * C",
            f"L == target_array + {AFTER_BEFORE} * C + {AFTER_LAST * begun}",
        )

    return f"""
    ;; {TARGET_FROM} – the costs of a suit of numbers, with what is worked on among the inputs.
    ; in:        C E hand[34] melded[34] suits[40] target_states[{STATES}]
    ; requires:  sound_tiles, E in (&hand & $FF)..(&hand & $FF) + 18, C in {places},
    ;            (E - (&hand & $FF)) % NUMBERS == 0,
    ;            (C - (&suits & $FF)) * NUMBERS == (E - (&hand & $FF)) * COSTS
    ; out:       suits[40] target_states[{STATES}]
    ; clobbers:  as {TARGET_FROM}
    ; stack:     18
    ; invariant: {NUMBER}: {number}, target_tile == old E + {NUMBERS} - target_left,
    ;            target_tile in (&hand & $FF)..(&hand & $FF) + {KINDS - 1}
    ; invariant: {LAST}: {made}, L == target_array + {AFTER_BEFORE} * C
    ; invariant: {ONE}: {again(1)}
    ; invariant: {TWO}: {again(2)}
    ; invariant: {ENDED}: {kept}
    ; decreases: {NUMBER}: target_left
    ; decreases: {LAST}: {most} - C
    """


def _asked(runs: int) -> Asked:
    one = into_of(runs)

    def question(**v: Any) -> Values:
        return {name: v[name] for name in INTO}

    return Asked.staged(one.routine, one.stages, one.gives, question)


def _next(v: Values) -> Next:
    """The next number, if there is one."""
    here = {**v, "left": v["left"] - 1}
    if here["left"] == 0:
        return ENDED, {name: here[name] for name in SUIT}
    return NUMBER, {name: here[name] for name in NUMBERED}


def _costs(suits: Any, slot: Any, states: Any, array: Any) -> Any:
    """Of no unfinished runs; a block of which nothing is held is missing whole."""
    for entry in range(MELDS + 1):
        found = states[array + entry]
        if entry:
            found = _least(found, suits[slot + entry - 1] + 3 & 0xFF)
        suits[slot + entry] = found
    for melds in range(MELDS + 1):
        entry = MELDS + 1 + melds
        found = states[array + entry]
        if melds:
            found = _least(found, suits[slot + entry - 1] + 3 & 0xFF)
        without = suits[slot + melds] + 2 & 0xFF
        suits[slot + entry] = choose(without < found, without, found)
    return suits


def _least(one: Any, other: Any) -> Any:
    return choose(one < other, one, other)


def target(image: Image) -> Staged:
    """The same by the number of the suit."""
    hand, suits = image.address("hand") & 0xFF, image.address("suits") & 0xFF

    def question(suit: Any, **v: Any) -> Values:
        return {**v, "c": suits + COSTS * suit, "e": hand + NUMBERS * suit}

    def begin(suits_after: Any, **_others: Any) -> Next:
        return "return", {"suits": suits_after}

    by_place = target_from(image)
    asked = Asked.staged(TARGET_FROM, by_place.stages, by_place.gives, question)
    contract = f"""
    ;; {TARGET} – the costs of a suit of numbers, with what is worked on among the inputs.
    ; in:        A hand[34] melded[34] suits[40] target_states[{STATES}]
    ; requires:  A <= 2, sound_tiles
    ; out:       suits[40] target_states[{STATES}]
    ; clobbers:  as {TARGET}
    ; stack:     18
    """
    return Staged(TARGET, contract, {"": Stage({"suit": "a", **GIVEN}, begin, asked)}, GIVES)


# ---------------------------------------------------------------- what comes out


def asked_target(image: Image) -> Asked:
    """The costs of a suit by addresses; what states are left is asked as well, but only handed
    on."""
    first = image.address("hand") & 0xFF
    given = {"c": "c", "e": "e", **GIVEN}

    def question(**v: Any) -> Values:
        return {name: v[name] for name in given}

    def function(c: int, e: int, hand: Any, melded: Any, suits: Any, **work: Any) -> Values:
        suit = (e - first) // NUMBERS
        return answered(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(TARGET_FROM, question, given, answer_of(GIVES | WORK), function)
