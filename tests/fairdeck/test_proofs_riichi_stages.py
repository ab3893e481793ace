"""Run, the stages of hands are the library's models; a near miss of one is not proved."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from fairdeck.proofs import (
    riichi,
    riichi_honours,
    riichi_suits_6502,
    riichi_suits_sm83,
    riichi_target_6502,
    riichi_target_sm83,
)
from fairdeck.proofs.riichi_target_6502 import costs_at, pull_of
from fairdeck.proofs.riichi_target_sm83 import ways_of
from fairdeck.proofs.stages import Staged
from fairdeck.proofs.statement import bank
from fairdeck.riichi import shanten as models
from fairdeck.riichi.hand import Hand, Meld, MeldKind
from fairdeck.riichi.on_machine import RIICHI_ROMS
from fairdeck.riichi.ukeire import ukeire as tiles_that_help
from fairdeck.tiles import COPIES, KINDS
from romproof import ProofOptions, Prover, Stage, Verdict
from romproof.prover.refinement.stages import run

FAR = 99
SUITS = {"6502": riichi_suits_6502, "sm83": riichi_suits_sm83}

on_both = pytest.mark.parametrize("cpu", ["6502", "sm83"])


def _own(cpu: str) -> Prover:
    return bank(RIICHI_ROMS[cpu], ProofOptions())


def _stages(cpu: str, routine: str) -> Any:
    return riichi.stages_of_routine(_own(cpu), cpu, routine).stages


def _tiles(rnd: random.Random, called: float, held: float) -> tuple[list[int], list[int]]:
    melded = [rnd.randrange(COPIES + 1) if rnd.random() < called else 0 for _ in range(KINDS)]
    hand = [rnd.randrange(COPIES + 1 - n) if rnd.random() < held else 0 for n in melded]
    return hand, melded


def _work(rnd: random.Random, cpu: str) -> dict[str, Any]:
    """What is there before, and must not matter."""
    work = {"states": list(rnd.randbytes(180))}
    return work if cpu == "sm83" else {**work, "alive": list(rnd.randbytes(18))}


def _hand(rnd: random.Random, tiles: int) -> Hand:
    melds = tuple(Meld(MeldKind.PON, (kind,) * 3) for kind in rnd.sample(range(KINDS), 2))
    melds = melds[: rnd.randrange(3)]
    wall = [k for k in range(KINDS) for _ in range(COPIES) if all(k != m.tiles[0] for m in melds)]
    held = rnd.sample(wall[: rnd.choice((40, len(wall)))], tiles - 3 * len(melds))
    return Hand(tuple(held.count(kind) for kind in range(KINDS)), melds)


def _given(hand: Hand, rnd: random.Random, cpu: str) -> dict[str, Any]:
    given = {"hand": list(hand.closed), "melded": list(hand.melded), "melds": len(hand.melds)}
    if cpu == "sm83":
        given |= {name: list(rnd.randbytes(10)) for name in ("join_01", "join_23", "join_rest")}
    return {**given, "suits": list(rnd.randbytes(40)), **_work(rnd, cpu)}


@pytest.mark.slow_cases("sm83")
@on_both
def test_costs_by_all_targets_are_the_models(cpu: str) -> None:
    rnd = random.Random(2031)
    staged = (
        riichi_target_6502.target() if cpu == "6502" else riichi_target_sm83.target(_own(cpu).image)
    )
    stages = staged.stages
    for _ in range(60):
        hand, melded = _tiles(rnd, rnd.random(), rnd.random())
        suit = rnd.randrange(3)
        given = {"suit": suit, "hand": hand, "melded": melded, "suits": [0] * 40, **_work(rnd, cpu)}
        found = tuple(run(stages, given)["suits"][10 * suit : 10 * suit + 10])
        assert found == costs_at(suit, hand, melded)
        kinds = slice(9 * suit, 9 * suit + 9)
        room = tuple(COPIES - n for n in melded[kinds])
        by_definition = models.suit_costs(tuple(hand[kinds]), room, True)
        for mine, wanted in zip(found, by_definition, strict=True):
            assert wanted in (mine, FAR)


@on_both
def test_costs_of_suits_are_the_models(cpu: str) -> None:
    rnd = random.Random(2032)
    own = _own(cpu)
    for _ in range(200):
        hand, melded = _tiles(rnd, 0.02, rnd.random() / 2)
        suit = rnd.randrange(4)
        given = {"hand": hand, "melded": melded, "suits": [0] * 40, **_work(rnd, cpu)}
        if cpu == "sm83":
            given["melds"] = sum(n > 0 for n in melded)
        found = run(SUITS[cpu].stages(own, suit), given)["suits"][10 * suit : 10 * suit + 10]
        kinds = slice(9 * suit, 9 * suit + 9)
        room = tuple(COPIES - n for n in melded[kinds])
        wanted = models.suit_costs(tuple(hand[kinds]), room, suit < 3)
        for melds in range(COPIES + 1 - sum(n > 0 for n in melded[kinds])):
            assert found[melds] == wanted[melds]
            assert found[melds + 5] == wanted[melds + 5]


@on_both
def test_shanten_of_hands_is_the_models(cpu: str) -> None:
    rnd, stages, complete = random.Random(2033), _stages(cpu, "shanten"), _stages(cpu, "complete")
    for _ in range(60):
        hand = _hand(rnd, rnd.choice((13, 14)))
        found = run(stages, _given(hand, rnd, cpu))
        wanted = models.shanten(hand)
        every = (wanted.normal, wanted.chiitoi, wanted.kokushi)
        mine = [found[name] for name in ("normal", "chiitoi", "kokushi")]
        assert mine == [0x7F if one is None else one & 0xFF for one in every]
        assert found["shanten"] == wanted.best & 0xFF
        whole = run(complete, _given(hand, rnd, cpu))
        assert whole["complete"] == int(wanted.best == -1)


@on_both
def test_tiles_that_help_are_the_models(cpu: str) -> None:
    rnd, stages = random.Random(2034), _stages(cpu, "ukeire")
    for _ in range(4):
        hand = _hand(rnd, 13)
        melded = hand.melded
        unseen = [COPIES - n - m for n, m in zip(hand.closed, melded, strict=True)]
        given = {**_given(hand, rnd, cpu), "unseen": unseen}
        if cpu == "sm83":
            given["useful"] = list(rnd.randbytes(KINDS))
        found = run(stages, given)
        wanted = tiles_that_help(hand)
        assert found["sum"] == wanted.count
        assert {k: n for k, n in enumerate(found["useful"]) if n} == dict(wanted.tiles)


@on_both
def test_discards_are_marked_by_what_is_left(cpu: str) -> None:
    rnd, stages = random.Random(2035), _stages(cpu, "best_discard")
    hand = _hand(rnd, 14)
    unseen = [int(n + m < COPIES) for n, m in zip(hand.closed, hand.melded, strict=True)]
    given = {**_given(hand, rnd, cpu), "unseen": unseen}
    results = {name: list(rnd.randbytes(KINDS)) for name in ("shantens", "ukeires", "best")}
    found = run(stages, {**given, **results})
    assert found["least"] == min(found["shantens"])
    after = zip(found["shantens"], found["ukeires"], strict=True)
    most = max(tiles for shanten_after, tiles in after if shanten_after == found["least"])
    for kind in range(KINDS):
        mine = found["shantens"][kind], found["ukeires"][kind]
        assert found["best"][kind] == (mine == (found["least"], most))
        if not hand.closed[kind]:
            assert mine == (0x80, 0)


@on_both
def test_calls_are_the_models(cpu: str) -> None:
    rnd, stages = random.Random(2036), _stages(cpu, "call_options")
    for _ in range(30):
        hand = _hand(rnd, 13)
        tile = rnd.choice([k for k in range(KINDS) if hand.closed[k] + hand.melded[k] < COPIES])
        left = rnd.randrange(2)
        given = {"tile": tile, "left": left, **_given(hand, rnd, cpu)}
        bits = run(stages, given)["bits"]
        assert bits & 1 == (hand.closed[tile] >= 2)
        assert (bits & 2 != 0) == (hand.closed[tile] >= 3)
        for bit, others in ((4, (1, 2)), (8, (-1, 1)), (16, (-2, -1))):
            run_ = [tile + n for n in others]
            same = tile < 27 and all(0 <= k < 27 and k // 9 == tile // 9 for k in run_)
            assert (bits & bit != 0) == bool(left and same and all(hand.closed[k] for k in run_))


@pytest.mark.slow_cases("")
@pytest.mark.proof
@pytest.mark.parametrize("slip", ["", "more", "less", "other"])
def test_a_near_miss_of_a_block_is_not_proved(slip: str) -> None:
    one = pull_of(2)
    own = _own("6502")
    assert own.routine(one.routine, one.contract(own), exact=False)

    def wrong(**v: Any) -> Any:
        label, values = one.stages["pull_2@triplet"].model(**v)
        if slip == "more":
            values["states"][v["y"] + 2] += 1
        elif slip == "less":
            values["live"] = v["live"]
        elif slip == "other":
            values["states"][v["x"] + 2] = values["states"][v["y"] + 2]
        return label, values

    there = one.stages["pull_2@triplet"]
    stages = {**one.stages, "pull_2@triplet": replace(there, model=wrong)}
    proof = own.simulates(stages, one.gives)
    assert (proof.verdict is Verdict.PROVED) == (slip == ""), proof.findings
    assert isinstance(there, Stage)


def _slipped(own: Prover, one: Staged, label: str, wrong: Any) -> Verdict:
    """What comes of a model one of whose stages is another."""
    by_contract = own.routine(one.routine, one.contract(own), exact=False)
    assert by_contract.verdict is Verdict.PROVED
    stages = {**one.stages, label: replace(one.stages[label], model=wrong)}
    return own.simulates(stages, one.gives).verdict


@pytest.mark.proof
@pytest.mark.parametrize("slip", ["", "more", "room", "held"])
def test_a_near_miss_of_a_way_is_not_proved(slip: str) -> None:
    one = ways_of(2)
    there = one.stages["ways_2.pair"].model

    def wrong(**v: Any) -> Any:
        if slip == "room":
            v["most"] -= 1
        elif slip == "held":
            v["b"] += v["b"] < 255
        label, values = there(**v)
        if slip == "more":
            values["states"][v["l"] - 1] += 1
        return label, values

    found = _slipped(_own("sm83"), one, "ways_2.pair", wrong)
    assert (found is Verdict.PROVED) == (slip == "")


@pytest.mark.proof
@pytest.mark.parametrize("slip", ["", "other kind", "other place", "one more"])
def test_a_near_miss_of_a_block_of_honours_is_not_proved(slip: str) -> None:
    own = _own("sm83")
    one = riichi_honours.blocks(own.image)
    there = one.stages["honour_blocks.block"].model

    def wrong(**v: Any) -> Any:
        if slip == "other kind":
            v["three"], v["two"] = v["two"], v["three"]
        label, values = there(**v)
        if slip == "other place" and label != "return":
            values = {**values, "place": v["place"]}
        elif slip == "one more" and label != "return":
            values = {**values, "cost": values["cost"] + 1 & 0xFF}
        return label, values

    found = _slipped(own, one, "honour_blocks.block", wrong)
    assert (found is Verdict.PROVED) == (slip == "")
