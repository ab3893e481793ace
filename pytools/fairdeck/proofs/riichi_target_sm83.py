"""The costs of a suit by all its targets on the SM83, group by group of states.

A group is ten costs. States are two arrays of nine groups, one behind the other in one page, so
that the low byte of an address is a place among them: those before a number, and those after it.
States are among the inputs: of a number only so many groups are made as runs may begin, and no more
are read at the next one, which is more than the prover knows of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairdeck.proofs.riichi_target_6502 import answer_target, costs_at
from fairdeck.proofs.stages import Next, Staged, Values, name_after, pick
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import COPIES, KINDS
from romproof import Asked, Image, Proof, Prover, Stage, choose

RUNS = 3
"""0, 1 or 2 begin at a number, and at the one before it."""
ARRAY = RUNS * RUNS * COSTS
STATES = 2 * ARRAY
"""Bytes of all states."""
WORKED = f"target_states[{STATES}]"
"""What is worked on, as contracts list it."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""
FAR = 0x80
"""More than any cost: of states that there are not."""
CARRIED = 2 * (RUNS - 1)
"""The most runs that are carried on."""

PAGE = "D == &target_states >> 8, H == &target_states >> 8"
"""Where pointers lead."""


WAYS = {
    "c": "c",
    "d": "d",
    "h": "h",
    "e": "e",
    "l": "l",
    "most": "target_most",
    "own": "target_own",
    "states": "target_states",
}
INTO = {**WAYS, "stop": "target_stop"}
STATED = {"states": "target_states"}


def ways_of(runs: int) -> Staged:
    """One group's states, when so many runs begin: alone, beside the pair, beside a triplet."""
    routine = f"ways_{runs}"
    pair_at, triplet_at = f"{routine}.pair", f"{routine}.triplet"
    with_runs, with_triplet = PAIR - runs, MELDS - runs

    def together(states: Any, e: Any, l: Any, missing: Any) -> None:  # noqa: E741
        if runs == 0:
            _merge(states, e, l, missing, COSTS)
        else:
            _merge(states, e, l + runs, missing, with_runs)
            _merge(states, e + PAIR, l + PAIR + runs, missing, with_runs)

    def alone(c: Any, own: Any, most: Any, states: Any, e: Any, l: Any, **_page: Any) -> Next:  # noqa: E741
        if most < c + runs:
            return _end(states)
        if c + runs >= own:
            together(states, e, l, c + runs - own & 0xFF)
            return _end(states)
        together(states, e, l, 0)
        here = {"b": c + runs - own & 0xFF, "e": e + COSTS - runs, "l": l + COSTS}
        return pair_at, {**here, "c": c, "most": most, "states": states}

    def pair(b: Any, c: Any, e: Any, l: Any, most: Any, states: Any) -> Next:  # noqa: E741
        if most < c + 2 + runs:
            return _end(states)
        e, l = e - COSTS + runs, l - COSTS  # noqa: E741
        _merge(states, e, l + PAIR + runs, _lacking(b, 2), with_runs)
        if most == c + 2 + runs:
            return _end(states)
        return triplet_at, {"b": b, "e": e + with_runs, "l": l + COSTS, "states": states}

    def triplet(b: Any, e: Any, l: Any, states: Any) -> Next:  # noqa: E741
        e, l, missing = e - with_runs, l - COSTS + runs + 1, _lacking(b, 3)  # noqa: E741
        _merge(states, e, l, missing, with_triplet)
        _merge(states, e + PAIR, l + PAIR, missing, with_triplet)
        return _end(states)

    last = STATES - COSTS
    contract = f"""
    ; requires:  C <= {CARRIED}, E <= {last}, L <= {last}, {PAGE}
    ; clobbers:  A B E L F
    ; stack:     4
    ; invariant: {pair_at}: target_most >= C + {runs},
    ;            E in {COSTS - runs}..{STATES - runs}, L in {COSTS}..{STATES}
    ; invariant: {triplet_at}: E in {with_runs}..{last + with_runs}, L in {COSTS}..{STATES}
    """
    beside = {"b": "b", "e": "e", "l": "l", **STATED}
    stages = {
        "": Stage(WAYS, alone),
        pair_at: Stage({**beside, "c": "c", "most": "target_most"}, pair),
        triplet_at: Stage(beside, triplet),
    }
    return Staged(routine, contract, stages, STATED)


def _merge(states: Any, before: Any, behind: Any, missing: Any, count: int) -> None:
    """Each of so many costs goes where it is less."""
    for entry in range(count):
        total = states[before + entry] + missing & 0xFF
        less = total < states[behind + entry]
        states[behind + entry] = choose(less, total, states[behind + entry])


def _lacking(held_beyond: Any, tiles: int) -> Any:
    """What is missing to so many tiles, when some are held beyond the runs: 256 less as many."""
    total = held_beyond + tiles
    return choose(total > 0xFF, total & 0xFF, 0)


def _end(states: Any) -> Next:
    return "return", {"states": states}


def into_of(runs: int) -> Staged:
    """All ways into one group, when so many runs begin: from groups with one run carried on more
    each."""
    routine = f"into_{runs}"
    before_at = f"{routine}.before"

    def begin(**v: Any) -> Next:
        for entry in range(COSTS):
            v["states"][v["l"] + entry] = FAR
        return before_at, v

    def before(states_after: Any, **v: Any) -> Next:
        v |= {"states": states_after, "e": v["e"] + COSTS, "c": v["c"] + 1}
        if v["c"] == v["stop"]:
            return "return", {"states": states_after}
        return before_at, v

    last = STATES - COSTS
    here = (
        f"C <= {CARRIED}, target_stop in 1..{CARRIED + 1}, C < target_stop, L <= {last},\n"
        f"    ;            E + {COSTS} * (target_stop - C) <= {STATES}, {PAGE}"
    )
    contract = f"""
    ; requires:  {here}
    ; ensures:   C == old C, E == old E, L == old L
    ; clobbers:  A B F
    ; stack:     16
    ; invariant: {before_at}: {here}
    ; decreases: {before_at}: target_stop - C
    """
    stages = {"": Stage(INTO, begin), before_at: Stage(INTO, before, _ask_ways(runs))}
    return Staged(routine, contract, stages, STATED, "C E L")


def _ask_ways(runs: int) -> Asked:
    return ways_of(runs).ask(pick(WAYS))


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
        yield from one.prove(own, simulated)


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

    def end(slot: Any, array: Any, **v: Any) -> Next:
        return "return", {"suits": _costs(v["suits"], slot - suits, v["states"], array)}

    stages = {
        "": Stage({"c": "c", "e": "e", **GIVEN}, begin),
        NUMBER: Stage(NUMBERED, number),
        LAST: Stage(MADE, last, _ask_runs(0)),
        ONE: Stage(AGAIN, one, _ask_runs(1)),
        TWO: Stage(AGAIN, two, _ask_runs(2)),
        ENDED: Stage(SUIT, end),
    }
    return Staged(TARGET_FROM, _contract(), stages, GIVES, WORKED)


def _contract() -> str:
    def join_conditions(*conditions: str) -> str:
        return ",\n    ;            ".join(conditions)

    places = "(&suits & $FF)..(&suits & $FF) + 20"
    kept = join_conditions(
        "target_costs == old C",
        f"target_costs in {places}",
        f"target_array == 0 or target_array == {ARRAY}",
        PAGE,
    )
    most = RUNS - 1
    number = join_conditions(
        kept,
        f"target_left in 1..{NUMBERS}",
        f"target_last <= {most}",
        f"target_before <= {most}",
    )
    made = join_conditions(
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
        return join_conditions(
            made,
            f"target_begin >= {begun}",
            f"target_group == target_array + {AFTER_BEFORE} * C",
            f"L == target_array + {AFTER_BEFORE} * C + {AFTER_LAST * begun}",
        )

    return f"""
    ; requires:  sound_tiles, E in (&hand & $FF)..(&hand & $FF) + 18, C in {places},
    ;            (E - (&hand & $FF)) % NUMBERS == 0,
    ;            (C - (&suits & $FF)) * NUMBERS == (E - (&hand & $FF)) * COSTS
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


def _ask_runs(runs: int) -> Asked:
    return into_of(runs).ask(pick(INTO))


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

    asked = target_from(image).ask(question)
    lines = "; requires:  A <= 2, sound_tiles"
    stages = {"": Stage({"suit": "a", **GIVEN}, begin, asked)}
    return Staged(TARGET, lines, stages, GIVES, WORKED)


# ---------------------------------------------------------------- what comes out


def ask_target(image: Image) -> Asked:
    """The costs of a suit by addresses; what states are left is asked as well, but only handed
    on."""
    first = image.address("hand") & 0xFF
    given = {"c": "c", "e": "e", **GIVEN}

    def function(c: int, e: int, hand: Any, melded: Any, suits: Any, **work: Any) -> Values:
        suit = (e - first) // NUMBERS
        return answer_target(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(TARGET_FROM, pick(given), given, name_after(GIVES | WORK), function)
