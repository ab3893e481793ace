"""What a number adds to the costs of targets on the SM83: ways from one group of states to another.

A group is ten costs. States are two arrays of nine groups, one behind the other in one page, so
that the low byte of an address is a place among them: those before a number, and those after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from romproof import Asked, Stage, choose

RUNS = 3
"""0, 1 or 2 begin at a number, and at the one before it."""
ARRAY = RUNS * RUNS * COSTS
STATES = 2 * ARRAY
"""Bytes of all states."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""
FAR = 0x80
"""More than any cost: of states that there are not."""
CARRIED = 2 * (RUNS - 1)
"""The most runs that are carried on."""

PAGE = "D == &target_states >> 8, H == &target_states >> 8"
"""Where pointers lead."""

Next = tuple[str, Mapping[str, Any]]
Values = Mapping[str, Any]

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
GIVES = {"states": "target_states"}


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
    ;; {routine} – the costs at DE, with what the number adds to them, go to HL.
    ; in:        C D E H L target_most target_own target_states[{STATES}]
    ; requires:  C <= {CARRIED}, E <= {last}, L <= {last}, {PAGE}
    ; out:       target_states[{STATES}]
    ; clobbers:  A B E L F
    ; stack:     4
    ; invariant: {pair_at}: target_most >= C + {runs},
    ;            E in {COSTS - runs}..{STATES - runs}, L in {COSTS}..{STATES}
    ; invariant: {triplet_at}: E in {with_runs}..{last + with_runs}, L in {COSTS}..{STATES}
    """
    beside = {"b": "b", "e": "e", "l": "l", **GIVES}
    stages = {
        "": Stage(WAYS, alone),
        pair_at: Stage({**beside, "c": "c", "most": "target_most"}, pair),
        triplet_at: Stage(beside, triplet),
    }
    return Staged(routine, contract, stages, GIVES)


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
    ;; {routine} – all ways into the group at HL, from those at DE on.
    ; in:        C D E H L target_most target_own target_stop target_states[{STATES}]
    ; requires:  {here}
    ; out:       C E L target_states[{STATES}]
    ; ensures:   C == old C, E == old E, L == old L
    ; clobbers:  A B F
    ; stack:     16
    ; invariant: {before_at}: {here}
    ; decreases: {before_at}: target_stop - C
    """
    stages = {"": Stage(INTO, begin), before_at: Stage(INTO, before, _asked(runs))}
    return Staged(routine, contract, stages, GIVES)


def _asked(runs: int) -> Asked:
    one = ways_of(runs)

    def question(**v: Any) -> Values:
        return {name: v[name] for name in WAYS}

    return Asked.staged(one.routine, one.stages, one.gives, question)
