"""The shanten of hands as models of stages, on either CPU: what both have alike.

The states that costs by all targets leave are handed on from one question to the next, as they are
among the inputs of each; no result depends on them, since no model's does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from fairdeck.proofs.stages import Next, Staged, Values, name_after, pick, renew
from fairdeck.riichi.shanten import chiitoi, kokushi
from fairdeck.riichi.tables import NUMBERS
from romproof import Asked, Stage, choose

NORMAL, SHANTEN, COMPLETE = "normal_shanten", "shanten", "complete"
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

    ``local`` is what local labels begin with, ``areas`` the memory that is worked on, as contracts
    list it: ``costs`` are those places of it that are results, ``work`` those that are only handed
    on. ``read`` is only read. ``stack`` are the bytes that ``normal_shanten`` needs.
    """

    local: str
    areas: str
    costs: Mapping[str, str]
    work: Mapping[str, str]
    read: Mapping[str, str]
    stack: int

    @property
    def given(self) -> str:
        """What is worked on and read, as contracts list it."""
        return " ".join([self.areas, *self.read.values()])

    @property
    def asking(self) -> Mapping[str, str]:
        """What is given wherever a shanten is asked."""
        return {**HAND, **self.costs, **self.work, **self.read}


def asked_kinds(name: str) -> Asked:
    """Seven pairs, or the thirteen orphans."""
    model = {CHIITOI: chiitoi, KOKUSHI: kokushi}[name]

    def function(hand: Sequence[int]) -> Values:
        return {"found": model(tuple(hand)) & 0xFF}

    given = {"hand": "hand"}
    return Asked(name, pick(given), given, {"found": "a"}, function)


def asked_of(machine: Machine, one: Staged, question: Callable[..., Values] | None = None) -> Asked:
    """A routine that is a model of stages, unless told otherwise with what the stage has by the
    same names; of the states that it leaves no more is known."""
    given = one.stages[""].takes
    steps = Asked.staged(one.routine, one.stages, one.gives, pick(given))
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


# ---------------------------------------------------------------- of all targets


def shanten_of(machine: Machine, normal: Staged) -> Staged:
    """The least of all that apply; with called melds only melds and a pair do."""
    closed_at, orphans_at = f"{SHANTEN}{machine.local}closed", f"{SHANTEN}{machine.local}orphans"

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
    ;; {SHANTEN} – the least of all that apply, with what is worked on among the inputs.
    ; in:        hand[34] melded[34] melds {machine.given}
    ; requires:  sound_hand
    ; out:       A shanten_normal shanten_chiitoi shanten_kokushi {machine.areas}
    ; clobbers:  as {SHANTEN}
    ; stack:     {machine.stack + 2}
    ; invariant: {closed_at}: melds == 0
    ; invariant: {orphans_at}: melds == 0
    """
    gives = {"shanten": "a", **OF_ALL, **machine.costs}
    closed = {"hand": "hand", **machine.costs, "normal": "shanten_normal"}
    stages = {
        "": Stage(machine.asking, begin, asked_of(machine, normal)),
        closed_at: Stage(closed, pairs, asked_kinds(CHIITOI)),
        orphans_at: Stage({**closed, "chiitoi": "shanten_chiitoi"}, orphans, asked_kinds(KOKUSHI)),
    }
    return Staged(SHANTEN, contract, stages, gives)


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

    listed = f" {' '.join(OF_ALL.values())} {machine.areas}" if also else ""
    contract = f"""
    ;; {COMPLETE} – whether a hand is complete, with what is worked on among the inputs.
    ; in:        hand[34] melded[34] melds {machine.given}
    ; requires:  sound_hand
    ; out:       A{listed}
    ; ensures:   A <= 1
    ; clobbers:  as {COMPLETE}
    ; stack:     {machine.stack + 4}
    """
    stages = {"": Stage(machine.asking, begin, asked_of(machine, shanten))}
    return Staged(COMPLETE, contract, stages, {"complete": "a", **also})


# ---------------------------------------------------------------- calls


def runs_of(hand: Any, tile: Any) -> Any:
    """The runs that a tile of a suit may be in, by where it stands in them."""
    number = tile % NUMBERS

    def held(place: Any, within: Any) -> Any:
        return within & (hand[choose(within, place, 0)] != 0)

    lowest = held(tile + 1, number <= 6) & held(tile + 2, number <= 6)
    highest = held(tile - 2, number >= 2) & held(tile - 1, number >= 2)
    inside = (number >= 1) & (number <= 7)
    middle = held(tile - 1, inside) & held(tile + 1, inside)
    return choose(lowest, LOWEST, 0) | choose(middle, MIDDLE, 0) | choose(highest, HIGHEST, 0)
