"""What a number adds to the costs of targets on the 6502: the states of one block go to another.

A block is ten costs, its place is counted from 1. States are two arrays of nine blocks: those
before a number, and those after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeck.proofs.sha512_stages import Staged
from fairdeck.riichi.shanten import MELDS
from fairdeck.riichi.tables import COSTS
from romproof import Asked, Stage, choose

STATES, ALIVE = 180, 18
"""Bytes of all states, and of the marks that say which blocks have any."""
LAST_PLACE = STATES - COSTS + 1
"""Of a block."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""
PULL, FROM = "pull_", "pull_from"

Next = tuple[str, Mapping[str, Any]]
Values = Mapping[str, Any]

PULLED = {
    "x": "x",
    "y": "y",
    "least": "target_least",
    "own": "target_own",
    "over": "target_over",
    "live": "target_live",
    "states": "target_states",
}
PULLED_GIVES = {"live": "target_live", "states": "target_states"}
TAKEN = {**PULLED, "run": "target_run", "block": "target_block", "alive": "target_alive"}
TAKEN_GIVES = {"x": "x", "least": "target_least", "block": "target_block", **PULLED_GIVES}


def from_nothing(pair: int, melds: int) -> int:
    """What so many blocks cost when nothing is held; one more for none: they cost nothing, and are
    always gone on with."""
    return 3 * melds + 2 * pair + (melds + pair == 0)


def pull_of(runs: int) -> Staged:
    """One block's states, when so many runs begin: alone, beside a pair, beside a triplet."""
    routine = f"{PULL}{runs}"
    pair_at, triplet_at = f"{routine}@pair", f"{routine}@triplet"

    def alone(least: Any, own: Any, over: Any, **v: Any) -> Next:
        lacking = _lacking(least, own)
        v["live"] = _pulled(v, lacking, 0, 0, runs)
        v["live"] = _pulled(v, lacking, 1, 1, runs)
        if own == 0:
            return _end(v)
        return _beside(2, pair_at, least, own, over, v)

    def pair(least: Any, own: Any, over: Any, target: Any, **v: Any) -> Next:
        v["live"] = _pulled(v, _lacking(target, own), 0, 1, runs)
        return _beside(3, triplet_at, least, own, over, v)

    def triplet(own: Any, target: Any, **v: Any) -> Next:
        lacking = _lacking(target, own)
        v["live"] = _pulled(v, lacking, 0, 0, runs + 1)
        v["live"] = _pulled(v, lacking, 1, 1, runs + 1)
        return _end(v)

    contract = f"""
    ;; {routine} – the states of a block, with what a number adds to them.
    ; in:        X Y target_least target_own target_over target_live target_states[{STATES}]
    ; requires:  X in 1..{LAST_PLACE}, Y in 1..{LAST_PLACE}
    ; out:       target_live target_states[{STATES}]
    ; clobbers:  A N V Z C target_missing
    ; stack:     0
    ; invariant: {pair_at}: X in 1..{LAST_PLACE}
    ; invariant: {triplet_at}: X in 1..{LAST_PLACE}
    """
    more = {**PULLED, "target": "a"}
    stages = {
        "": Stage(PULLED, alone),
        pair_at: Stage(more, pair),
        triplet_at: Stage(more, triplet),
    }
    return Staged(routine, contract, stages, PULLED_GIVES)


def _pulled(v: Values, lacking: Any, before: int, behind: int, more: int) -> Any:
    """Each state with so many melds more goes where it is less; what ``live`` is then."""
    states, live = v["states"], v["live"]
    for melds in range(PAIR - more):
        cost = states[v["x"] - 1 + PAIR * before + melds]
        at = v["y"] - 1 + PAIR * behind + melds + more
        total = cost + lacking & 0xFF
        less = (cost < from_nothing(before, melds)) & (total < states[at])
        states[at] = choose(less, total, states[at])
        live = choose(less, v["x"], live)
    return live


def _lacking(target: Any, own: Any) -> Any:
    return choose(target >= own, target - own & 0xFF, 0)


def _beside(tiles: int, label: str, least: Any, own: Any, over: Any, v: Values) -> Next:
    """It goes on with so many tiles more, if a target may have them."""
    target = least + tiles & 0xFF
    if target >= over:
        return _end(v)
    return label, {**v, "least": least, "own": own, "over": over, "target": target}


def _end(v: Values) -> Next:
    return "return", {name: v[name] for name in PULLED_GIVES}


def from_block() -> Staged:
    """The next block's states, if it has any and a target may have as many tiles."""
    one_at, none_at = f"{FROM}@one", f"{FROM}@none"

    def begin(live_after: Any, states_after: Any, **v: Any) -> Next:
        if v["least"] >= v["over"]:
            return "return", {name: v[name] for name in TAKEN_GIVES}
        if v["alive"][v["block"]] == 0:
            return taken(**v, live_after=v["live"], states_after=v["states"])
        if v["run"] == 0:
            return none_at, v
        if v["run"] == 1:
            return one_at, v
        return taken(**v, live_after=live_after, states_after=states_after)

    def taken(x: Any, least: Any, block: Any, **v: Any) -> Next:
        next_block = {"x": x + COSTS, "least": least + 1, "block": block + 1}
        return "return", {**next_block, "live": v["live_after"], "states": v["states_after"]}

    here = (
        f"X in 1..{LAST_PLACE}, X == old X, target_at == X,\n"
        "    ;            target_block == old target_block, target_least < target_over"
    )
    contract = f"""
    ;; {FROM} – the states of block X with what the number adds; then X is the next block.
    ; in:        X Y target_least target_own target_over target_live target_run target_block
    ;   target_states[{STATES}] target_alive[{ALIVE}]
    ; requires:  X in 1..{LAST_PLACE}, Y in 1..{LAST_PLACE}, target_block < {ALIVE}, target_run <= 2
    ; out:       X target_least target_block target_live target_states[{STATES}]
    ; ensures:   X == old X or X == old X + {COSTS},
    ;            target_block == old target_block or target_block == old target_block + 1
    ; clobbers:  A N V Z C target_missing target_at
    ; stack:     2
    ; invariant: {one_at}: {here}
    ; invariant: {none_at}: {here}
    """
    stages = {
        "": Stage(TAKEN, begin, _asked(2)),
        one_at: Stage(TAKEN, taken, _asked(1)),
        none_at: Stage(TAKEN, taken, _asked(0)),
    }
    return Staged(FROM, contract, stages, TAKEN_GIVES)


def _asked(runs: int) -> Asked:
    one = pull_of(runs)

    def question(**v: Any) -> Values:
        return {name: v[name] for name in PULLED}

    return Asked.staged(one.routine, one.stages, one.gives, question)
