"""The costs of a suit by all its targets on the 6502, block by block of states.

A block is ten costs, its place is counted from 1. States are two arrays of nine blocks: those
before a number, and those after it. What a number adds goes from the states of one block to
another. States and marks are among the inputs: a block of states is read only where its mark says
that it was written, which is more than the prover knows of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairdeck.proofs.stages import Next, Staged, Values, name_after, pick
from fairdeck.riichi.shanten import MELDS, suit_costs
from fairdeck.riichi.tables import COSTS, NUMBERS
from fairdeck.tiles import COPIES
from romproof import Asked, Proof, Prover, Stage, choose

STATES, ALIVE = 180, 18
"""Bytes of all states, and of the marks that say which blocks have any."""
WORKED = f"target_states[{STATES}] target_alive[{ALIVE}]"
"""What is worked on, as contracts list it."""
LAST_PLACE = STATES - COSTS + 1
"""Of a block."""
PAIR = MELDS + 1
"""Where the costs with the pair begin."""
PULL, FROM = "pull_", "pull_from"


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
        v["live"] = _pull_states(v, lacking, 0, 0, runs)
        v["live"] = _pull_states(v, lacking, 1, 1, runs)
        if own == 0:
            return _end(v)
        return _beside(2, pair_at, least, own, over, v)

    def pair(least: Any, own: Any, over: Any, target: Any, **v: Any) -> Next:
        v["live"] = _pull_states(v, _lacking(target, own), 0, 1, runs)
        return _beside(3, triplet_at, least, own, over, v)

    def triplet(own: Any, target: Any, **v: Any) -> Next:
        lacking = _lacking(target, own)
        v["live"] = _pull_states(v, lacking, 0, 0, runs + 1)
        v["live"] = _pull_states(v, lacking, 1, 1, runs + 1)
        return _end(v)

    contract = f"""
    ; requires:  X in 1..{LAST_PLACE}, Y in 1..{LAST_PLACE}
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


def _pull_states(v: Values, lacking: Any, before: int, behind: int, more: int) -> Any:
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
            return take_block(**v, live_after=v["live"], states_after=v["states"])
        if v["run"] == 0:
            return none_at, v
        if v["run"] == 1:
            return one_at, v
        return take_block(**v, live_after=live_after, states_after=states_after)

    def take_block(x: Any, least: Any, block: Any, **v: Any) -> Next:
        next_block = {"x": x + COSTS, "least": least + 1, "block": block + 1}
        return "return", {**next_block, "live": v["live_after"], "states": v["states_after"]}

    here = (
        f"X in 1..{LAST_PLACE}, X == old X, target_at == X,\n"
        "    ;            target_block == old target_block, target_least < target_over"
    )
    contract = f"""
    ; requires:  X in 1..{LAST_PLACE}, Y in 1..{LAST_PLACE}, target_block < {ALIVE}, target_run <= 2
    ; ensures:   X == old X or X == old X + {COSTS},
    ;            target_block == old target_block or target_block == old target_block + 1
    ; clobbers:  A N V Z C target_missing target_at
    ; stack:     2
    ; invariant: {one_at}: {here}
    ; invariant: {none_at}: {here}
    """
    stages = {
        "": Stage(TAKEN, begin, _ask_pull(2)),
        one_at: Stage(TAKEN, take_block, _ask_pull(1)),
        none_at: Stage(TAKEN, take_block, _ask_pull(0)),
    }
    return Staged(FROM, contract, stages, TAKEN_GIVES)


def _ask_pull(runs: int) -> Asked:
    return pull_of(runs).ask(pick(PULLED))


TARGET = "target"
FIRST, LAST, NUMBER, BLOCK, SECOND, THIRD, ENDED = (
    f"{TARGET}@{name}" for name in ("first", "last", "number", "block", "second", "third", "ended")
)
RUNS = 3
"""0, 1 or 2 begin at a number, and at the one before it."""
BLOCKS = RUNS * RUNS
OTHER = 1 + BLOCKS * COSTS
"""The place of the second array's first block."""

WORK = {"states": "target_states", "alive": "target_alive"}
GIVEN = {"hand": "hand", "melded": "melded", "suits": "suits", **WORK}
SIDES = {
    "before": "target_from",
    "behind": "target_to",
    "alive_before": "target_alive_from",
    "alive_at": "target_alive_to",
}
SUIT = {**GIVEN, **SIDES, "slot": "suit_slot", "place": "target_place"}
ENDS = {**SUIT, "x": "x", "at": "target_at"}
LEFT = {**SUIT, "left": "target_left"}
BLOCKED = {
    **LEFT,
    "own": "target_own",
    "over": "target_over",
    "run": "target_run",
    "last": "target_last",
    "y": "y",
}
CALLED = {
    **BLOCKED,
    "x": "x",
    "least": "target_least",
    "block": "target_block",
    "live": "target_live",
}
GIVES = {"suits": "suits"}
RESULT = {**GIVES, "slot": "suit_slot", "states": "target_states", "before": "target_from"}


def proofs(own: Prover, simulated: bool = True) -> Iterator[Proof]:
    """A block with so many runs, the next block, and all of them; what is asked comes first. If not
    ``simulated``, their contracts only."""
    for one in (*map(pull_of, range(RUNS)), from_block(), target()):
        yield from one.prove(own, simulated)


def target() -> Staged:
    """Which numbers count; of each its blocks; of a block the three that it may come from."""
    stages = {
        "": Stage({"suit": "a", **GIVEN}, _begin),
        FIRST: Stage(ENDS, _first),
        LAST: Stage(ENDS, _last),
        NUMBER: Stage(LEFT, _number),
        BLOCK: Stage(BLOCKED, _block, from_block().ask(_first_block)),
        SECOND: Stage(CALLED, _second, from_block().ask(pick(TAKEN))),
        THIRD: Stage(CALLED, _third, from_block().ask(pick(TAKEN))),
        ENDED: Stage(RESULT, _end_runs),
    }
    return Staged(TARGET, _contract(), stages, GIVES, WORKED)


def _contract() -> str:
    def join_conditions(*conditions: str) -> str:
        return ",\n    ;            ".join(conditions)

    slot = "suit_slot * 9 == first * 10"
    around = join_conditions(slot, "target_at == first + 8", "X in target_place..target_at")
    start = join_conditions(
        "target_from == 1", f"target_to == {OTHER}",
        "target_alive_from == 0", f"target_alive_to == {BLOCKS}",
    )  # fmt: skip
    held = join_conditions(
        "hand[target_place] != 0 or (X > target_place and hand[target_place + 1] != 0)"
        "\n    ;              or (X > target_place + 1 and hand[target_place + 2] != 0)"
    )
    number = join_conditions(
        slot,
        "target_place in first..first + 8",
        "target_left in 1..9",
        "target_place + target_left <= first + 9",
        f"target_from == 1 or target_from == {OTHER}",
        f"target_to == {OTHER + 1} - target_from",
        f"target_alive_from == 0 or target_alive_from == {BLOCKS}",
    )
    which = f"{RUNS} * target_run + target_last"
    block = join_conditions(
        number,
        f"target_run < {RUNS}",
        f"target_last < {RUNS}",
        f"Y == target_to + {COSTS} * ({which})",
        f"target_alive_to == {BLOCKS} - target_alive_from + {which}",
    )

    def call(more: int) -> str:
        return join_conditions(
            block,
            "X >= target_from",
            f"X <= target_from + {COSTS} * ({RUNS} * target_last + {more})",
            f"target_block <= target_alive_from + {RUNS} * target_last + {more}",
        )

    return f"""
    ; ensures:   suit_slot == {COSTS} * old A
    ; ghost:     first = 9 * A
    ; invariant: {FIRST}: {around}, target_place == first, {start}
    ; invariant: {LAST}: {around}, target_place >= first, {start}, {held}
    ; invariant: {NUMBER}: {number}, target_alive_to == {BLOCKS} - target_alive_from
    ; invariant: {BLOCK}: {block}
    ; invariant: {SECOND}: {call(1)}
    ; invariant: {THIRD}: {call(2)}
    ; invariant: {ENDED}: {slot}, target_from == 1 or target_from == {OTHER}
    ; decreases: {FIRST}: 27 - X
    ; decreases: {LAST}: X
    ; decreases: {NUMBER}: target_left
    ; decreases: {BLOCK}: {BLOCKS} - ({which})
    """


# ---------------------------------------------------------------- which numbers


def _begin(suit: Any, states: Any, alive: Any, **v: Any) -> Next:
    for block in range(BLOCKS):
        alive[block] = 0
    alive[0] = 1
    _clear(states, 1)
    states[0] = 0
    place = NUMBERS * suit
    sides = {"before": 1, "behind": OTHER, "alive_before": 0, "alive_at": BLOCKS}
    at = {"slot": COSTS * suit, "place": place, "x": place, "at": place + NUMBERS - 1}
    return FIRST, {"states": states, "alive": alive, **v, **sides, **at}


def _clear(states: Any, place: Any) -> None:
    """A block in which no state costs less than from nothing."""
    for entry in range(COSTS):
        states[place - 1 + entry] = from_nothing(entry // PAIR, entry % PAIR)


def _first(x: Any, at: Any, **v: Any) -> Next:
    if v["hand"][x] == 0:
        if x < at:
            return FIRST, {**v, "x": x + 1, "at": at}
        return ENDED, {name: v[name] for name in RESULT}
    if x >= v["place"] + 2:
        v["place"] = x - 2
    return LAST, {**v, "x": at, "at": at}


def _last(x: Any, at: Any, **v: Any) -> Next:
    if v["hand"][x] == 0:
        return LAST, {**v, "x": x - 1, "at": at}
    end = choose(x + 2 >= at, at, x + 2)
    return NUMBER, {**v, "left": end + 1 - v["place"]}


def _number(**v: Any) -> Next:
    place = v["place"]
    tiles = {"own": v["hand"][place], "over": COPIES + 1 - v["melded"][place]}
    return BLOCK, {**v, **tiles, "run": 0, "last": 0, "y": v["behind"]}


# ---------------------------------------------------------------- a block of states


def _first_block(**v: Any) -> Values:
    """The first of the three blocks that one may come from."""
    _clear(v["states"], v["y"])
    return pick(TAKEN)(
        **v,
        x=v["before"] + RUNS * COSTS * v["last"],
        least=v["last"] + v["run"],
        live=0,
        block=v["alive_before"] + RUNS * v["last"],
    )


def _block(x_after: Any, least_after: Any, block_after: Any, **v: Any) -> Next:
    answer = {"x": x_after, "least": least_after, "block": block_after}
    answer |= {"live": v.pop("live_after"), "states": v.pop("states_after")}
    alive, at = v["alive"], v["alive_before"] + RUNS * v["last"]
    fits = (v["run"] == 0) | (v["left"] >= RUNS)  # a run needs two more numbers
    room = v["last"] + v["run"] < v["over"]
    if fits & room & (alive[at] | alive[at + 1] | alive[at + 2] != 0):
        return SECOND, {**v, **answer}
    return _make_block(0, v)


def _second(**v: Any) -> Next:
    return THIRD, {name: v.get(f"{name}_after", v[name]) for name in CALLED}


def _third(**v: Any) -> Next:
    here = {name: v.get(f"{name}_after", v[name]) for name in BLOCKED}
    return _make_block(v["live_after"], here)


def _make_block(live: Any, v: dict[str, Any]) -> Next:
    """A block is made; then comes the next one, or the next number."""
    v["alive"][v["alive_at"]] = live
    v |= {"alive_at": v["alive_at"] + 1, "y": v["y"] + COSTS}
    if v["last"] + 1 < RUNS:
        return BLOCK, {**v, "last": v["last"] + 1}
    if v["run"] + 1 < RUNS:
        return BLOCK, {**v, "last": 0, "run": v["run"] + 1}
    alive_at = v["alive_before"]
    sides = {"alive_before": BLOCKS - alive_at, "alive_at": alive_at}
    sides |= {"before": v["behind"], "behind": v["before"]}
    here = {**v, **sides, "place": v["place"] + 1, "left": v["left"] - 1}
    if here["left"] == 0:
        return ENDED, {name: here[name] for name in RESULT}
    return NUMBER, {name: here[name] for name in LEFT}


# ---------------------------------------------------------------- what comes out


def ask_target() -> Asked:
    """The costs of a suit; what states are left is asked as well, but only handed on."""
    given = target().stages[""].takes

    def function(suit: int, hand: Any, melded: Any, suits: Any, **work: Any) -> Values:
        return answer_target(costs_at(suit, hand, melded), suit, suits, work)

    return Asked(TARGET, pick(given), given, name_after(GIVES | WORK), function)


def answer_target(costs: Sequence[int], suit: int, suits: Sequence[int], work: Values) -> Values:
    """The same with plain numbers: the states do not matter to whoever is given them."""
    at = COSTS * suit
    return name_after({"suits": [*suits[:at], *costs, *suits[at + COSTS :]], **work})


def costs_at(suit: int, hand: Sequence[int], melded: Sequence[int]) -> tuple[int, ...]:
    """The costs of a suit of numbers by the model, with more melds or a pair beside it where there
    is no room for them: the machine takes them to cost what they do of nothing."""
    kinds = slice(NUMBERS * suit, NUMBERS * (suit + 1))
    room = tuple(COPIES - count for count in melded[kinds])
    costs = list(suit_costs(tuple(hand[kinds]), room, True))
    for melds in range(MELDS):
        costs[melds + 1] = min(costs[melds + 1], costs[melds] + 3)
    for melds in range(MELDS):
        one, more = PAIR + melds, PAIR + melds + 1
        costs[more] = min(costs[more], costs[one] + 3, costs[melds + 1] + 2)
    return tuple(costs)


def _end_runs(suits: Any, slot: Any, states: Any, before: Any) -> Next:
    """Of no unfinished runs; a block from nothing is always possible somewhere."""
    suits[slot] = 0
    for entry in range(1, COSTS):
        suits[slot + entry] = states[before - 1 + entry]
    for melds in range(MELDS):
        _no_more(suits, slot + melds, 3, slot + melds + 1)
    for melds in range(MELDS):
        _no_more(suits, slot + PAIR + melds, 3, slot + PAIR + melds + 1)
        _no_more(suits, slot + melds + 1, 2, slot + PAIR + melds + 1)
    return "return", {"suits": suits}


def _no_more(suits: Any, one: Any, tiles: int, other: Any) -> None:
    cost = suits[one] + tiles & 0xFF
    suits[other] = choose(cost < suits[other], cost, suits[other])
