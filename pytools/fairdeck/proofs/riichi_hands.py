"""The shanten of hands as models of stages, on either CPU: what both have alike.

The states that costs by all targets leave are handed on from one question to the next, as they are
among the inputs of each; no result depends on them, since no model's does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from fairdeck.proofs.riichi_suits import SUITS
from fairdeck.proofs.stages import (
    Next,
    Staged,
    Values,
    hand_on,
    labels_of,
    name_after,
    pick,
    renew,
)
from fairdeck.riichi.shanten import chiitoi, kokushi
from fairdeck.riichi.tables import NUMBERS
from romproof import Asked, Stage, choose

NORMAL, SHANTEN, COMPLETE = "normal_shanten", "shanten", "complete"
UKEIRE, DISCARD, CALLS = "ukeire", "best_discard", "call_options"
CHIITOI, KOKUSHI, JOIN, WANTED = "chiitoi_shanten", "kokushi_shanten", "join", "join_wanted"
NEVER = 0x7F
"""Of a target that does not apply."""
NOT_HELD = 0x80
"""In place of the shanten after a discard."""
LISTS = {"shantens": "discard_shanten", "ukeires": "discard_ukeire"}
"""Of each discard."""
PON, KAN, LOWEST, MIDDLE, HIGHEST, COMPLETES = (1 << bit for bit in range(6))
"""What may be called."""
HAND = {"hand": "hand", "melded": "melded", "melds": "melds"}
OF_ALL = {
    "normal": "shanten_normal",
    "chiitoi": "shanten_chiitoi",
    "kokushi": "shanten_kokushi",
}


@dataclass(frozen=True)
class Machine:
    """What differs from CPU to CPU.

    ``costs`` are those places of the memory that is worked on that are results, ``work`` those that
    are only handed on, and ``left`` these as contracts list them. ``read`` is only read.
    """

    cpu: str
    costs: Mapping[str, str]
    work: Mapping[str, str]
    left: str
    read: Mapping[str, str]

    @property
    def asking(self) -> Mapping[str, str]:
        """What is given wherever a shanten is asked."""
        return {**HAND, **self.costs, **self.work, **self.read}


def ask_kinds(name: str) -> Asked:
    """Seven pairs, or the thirteen orphans."""
    model = {CHIITOI: chiitoi, KOKUSHI: kokushi}[name]

    def function(hand: Sequence[int]) -> Values:
        return {"found": model(tuple(hand)) & 0xFF}

    given = {"hand": "hand"}
    return Asked(name, pick(given), given, {"found": "a"}, function)


def ask_stages(
    machine: Machine, one: Staged, question: Callable[..., Values] | None = None
) -> Asked:
    """A routine that is a model of stages, unless told otherwise with what the stage has by the
    same names; of the states that it leaves no more is known."""
    given = one.stages[""].takes
    steps = one.ask(pick(given))
    handed = machine.work if "suits" in one.gives else {}

    def function(**v: Any) -> Values:
        return {**name_after({name: v[name] for name in handed}), **steps.function(**v)}

    asking = question or pick(given)
    return Asked(one.routine, asking, given, name_after({**handed, **one.gives}), function)


def without_list(asked: Asked) -> Asked:
    """What tiles that help are asked for when it does not matter which ones they are."""
    answer = {name: place for name, place in asked.answer.items() if name != "useful_after"}

    def function(**v: Any) -> Values:
        found = asked.function(**v)
        return {name: found[name] for name in answer}

    return replace(asked, answer=answer, function=function)


# ---------------------------------------------------------------- melds and a pair


def normal_of(
    machine: Machine, costs_of_suit: Asked, joins: Mapping[str, tuple[Mapping[str, str], Asked]]
) -> Staged:
    """The costs of one suit after the other, the honours first; then they are joined: ``joins``
    says at which labels, what is there, and what is asked, last what is missing."""
    suit_at, *joins_at = labels_of(machine.cpu, NORMAL, " ".join(["suit", *joins]))
    places = [places for places, _ in joins.values()]

    def begin(**v: Any) -> Next:
        return suit_at, {**v, "suit": SUITS - 1}

    def costs(**v: Any) -> Next:
        if v["suit"] == 0:
            return joins_at[0], renew(v, places[0])
        return suit_at, {**renew(v), "suit": v["suit"] - 1}

    def last(missing: Any, **v: Any) -> Next:
        return "return", {"shanten": missing - 1 & 0xFF, **{n: v[n] for n in machine.costs}}

    models = [
        *(hand_on(at, names) for at, names in zip(joins_at[1:], places[1:], strict=True)),
        last,
    ]
    lines = "".join(f"\n    ; invariant: {at}: melds <= MELDS" for at in joins_at)
    contract = f"""
    ; invariant: {suit_at}: A < {SUITS}{lines}
    ; decreases: {suit_at}: A
    """
    stages = {
        "": Stage(machine.asking, begin),
        suit_at: Stage({"suit": "a", **machine.asking}, costs, costs_of_suit),
        **{
            at: Stage(takes, model, asked)
            for at, model, (takes, asked) in zip(joins_at, models, joins.values(), strict=True)
        },
    }
    return Staged(NORMAL, contract, stages, {"shanten": "a", **machine.costs}, machine.left)


# ---------------------------------------------------------------- of all targets


def shanten_of(machine: Machine, normal: Staged) -> Staged:
    """The least of all that apply; with called melds only melds and a pair do."""
    closed_at, orphans_at = labels_of(machine.cpu, SHANTEN, "closed orphans")

    def begin(shanten_after: Any, **v: Any) -> Next:
        here = {**renew(v), "normal": shanten_after}
        if here["melds"] == 0:
            return closed_at, {name: here[name] for name in closed}
        never = {"chiitoi": NEVER, "kokushi": NEVER}
        found = {"shanten": shanten_after, **{name: here[name] for name in machine.costs}}
        return "return", {**found, "normal": shanten_after, **never}

    def pairs(found: Any, **v: Any) -> Next:
        return orphans_at, {**v, "chiitoi": found}

    def orphans(found: Any, **v: Any) -> Next:
        least, other = v["normal"] + 1 & 0xFF, _less(found, v["chiitoi"])
        least = choose(least < other, least, other)
        v |= {"kokushi": found, "shanten": least - 1 & 0xFF}
        return "return", {name: v[name] for name in gives}

    contract = f"""
    ; invariant: {closed_at}: melds == 0
    ; invariant: {orphans_at}: melds == 0
    """
    gives = {"shanten": "a", **OF_ALL, **machine.costs}
    closed = {"hand": "hand", **machine.costs, "normal": "shanten_normal"}
    stages = {
        "": Stage(machine.asking, begin, ask_stages(machine, normal)),
        closed_at: Stage(closed, pairs, ask_kinds(CHIITOI)),
        orphans_at: Stage({**closed, "chiitoi": "shanten_chiitoi"}, orphans, ask_kinds(KOKUSHI)),
    }
    return Staged(SHANTEN, contract, stages, gives, machine.left)


def _less(kokushi: Any, chiitoi: Any) -> Any:
    """The less of two, each with one more: then complete is 0."""
    one, other = kokushi + 1 & 0xFF, chiitoi + 1 & 0xFF
    return choose(one < other, one, other)


def complete_of(
    machine: Machine, shanten: Staged, also: Mapping[str, str] = MappingProxyType({})
) -> Staged:
    """Whether a hand is complete. ``also`` are results of ``shanten`` that are this routine's, too,
    by names of its model."""

    def begin(shanten_after: Any, **v: Any) -> Next:
        left = {name: v[f"{name}_after"] for name in also}
        return "return", {"complete": choose(shanten_after == 0xFF, 1, 0), **left}

    stages = {"": Stage(machine.asking, begin, ask_stages(machine, shanten))}
    left = machine.left if also else ""
    return Staged(COMPLETE, "", stages, {"complete": "a", **also}, left)


# ---------------------------------------------------------------- calls


def runs_of(hand: Any, tile: Any) -> Any:
    """The runs that a tile of a suit may be in, by where it stands in them."""
    number = tile % NUMBERS

    def hold(place: Any, within: Any) -> Any:
        return within & (hand[choose(within, place, 0)] != 0)

    lowest = hold(tile + 1, number <= 6) & hold(tile + 2, number <= 6)
    highest = hold(tile - 2, number >= 2) & hold(tile - 1, number >= 2)
    inside = (number >= 1) & (number <= 7)
    middle = hold(tile - 1, inside) & hold(tile + 1, inside)
    return choose(lowest, LOWEST, 0) | choose(middle, MIDDLE, 0) | choose(highest, HIGHEST, 0)


def calls_of(
    machine: Machine, complete: Staged, label: str, left: str,
    there: Mapping[str, str], first: int, holds: str,
) -> Staged:  # fmt: skip
    """What may be called, by the tiles beside the one that is discarded; then whether the hand is
    complete with it.

    Whether a run may be called is in ``left``; at the ``label``, where something ``holds``, the
    tile, counted from ``first``, and what may be called are where ``there`` says."""
    (completes_at,) = labels_of(machine.cpu, CALLS, label)

    def begin(tile: Any, left: Any, **v: Any) -> Next:
        hand = v["hand"]
        held = hand[tile]
        bits = choose(held >= 2, PON, 0) | choose(held >= 3, KAN, 0)
        if left != 0 and tile < NUMBERS * (SUITS - 1):
            bits |= runs_of(hand, tile)
        return completes_at, {**v, "tile": first + tile, "bits": bits}

    def with_tile(**v: Any) -> Values:
        v["hand"][v["tile"] - first] += 1
        return pick(machine.asking)(**v)

    def completes(bits: Any, complete_after: Any, **_others: Any) -> Next:
        return "return", {"bits": choose(complete_after == 1, bits | COMPLETES, bits)}

    contract = f"; invariant: {completes_at}: {holds}"
    asked = ask_stages(machine, complete, with_tile)
    stages = {
        "": Stage({"tile": "a", "left": left, **machine.asking}, begin),
        completes_at: Stage({**machine.asking, **there}, completes, asked),
    }
    return Staged(CALLS, contract, stages, {"bits": "a"})
