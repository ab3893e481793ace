"""What riichi's proofs hold the ROM against is the definition, suit by suit."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from fairdeck.proofs import riichi_honours, riichi_joins, riichi_suits_6502, riichi_suits_sm83
from fairdeck.proofs.riichi_walk import (
    MAX_HELD,
    MAX_TILES,
    costs_by_definition,
    suits_known,
)
from fairdeck.proofs.statement import bank, program
from fairdeck.riichi.calls import own_kans
from fairdeck.riichi.hand import Hand, Meld, MeldKind
from fairdeck.riichi.on_machine import RIICHI_ROMS
from fairdeck.riichi.shanten import chiitoi, join_costs, suit_costs
from fairdeck.tiles import COPIES, KINDS
from romproof.prover.prover import Prover
from romproof.prover.refinement.stages import run
from romproof.prover.results import Verdict
from romproof.prover.routines.program_proof import LemmaStore
from romproof.prover.routines.routine import ProofOptions
from romproof.prover.states.program import program_of


def test_the_suits_are_those_that_the_automaton_knows() -> None:
    counts = suits_known()
    assert counts.max() == MAX_HELD
    assert counts.sum(axis=0).max() == MAX_TILES
    assert len({tuple(suit) for suit in counts.T.tolist()}) == counts.shape[1]
    # as many as polynomials say: (1 + x + x^2 + x^3)^9 up to x^10
    ways = [1]
    for _ in range(9):
        ways = [sum(ways[max(0, n - 3) : n + 1]) for n in range(len(ways) + 3)]
    assert counts.shape[1] == sum(ways[: MAX_TILES + 1])


def test_costs_are_those_of_the_definition() -> None:
    counts = suits_known()
    costs = costs_by_definition(counts)
    for suit in random.Random(2021).sample(range(counts.shape[1]), 300):
        held = tuple(counts[:, suit].tolist())
        assert tuple(costs[suit].tolist()) == suit_costs(held, (COPIES,) * 9, True)


@pytest.mark.parametrize(
    ("cpu", "parts"),
    [("6502", riichi_suits_6502), ("sm83", riichi_suits_sm83)],
    ids=["6502", "sm83"],
)
def test_a_wrong_byte_in_the_tables_is_found(cpu: str, parts: ModuleType) -> None:
    own = bank(RIICHI_ROMS[cpu], ProofOptions())
    assert parts.check_rows(own).verdict is Verdict.PROVED
    root = own.image.address("automaton_root")
    fixed = bytearray(own.fixed)
    fixed[root], fixed[root + 2] = fixed[root + 2], fixed[root]
    changed = Prover.of(
        LemmaStore(replace(program_of(own.rom), fixed=bytes(fixed)), ProofOptions())
    )
    found = parts.check_rows(changed)
    assert found.verdict is Verdict.REFUTED
    assert "counts" in found.detail


def test_the_steps_of_seven_pairs_are_its_definition() -> None:
    rnd = random.Random(2022)
    for _ in range(300):
        tiles = rnd.sample(range(4 * KINDS), rnd.choice([1, 4, 13, 14]))
        hand = tuple(sum(tile // 4 == kind for tile in tiles) for kind in range(KINDS))
        pairs = kinds = 0
        for held in hand:
            pairs, kinds = riichi_joins.count_kind(pairs, kinds, held)
        assert riichi_joins.missing(pairs, kinds) == chiitoi(hand)
        for cpu, name in RIICHI_ROMS.items():
            stages = riichi_joins.pair_stages(cpu, program(name).image)
            assert run(stages, {"held": hand}) == {"shanten": chiitoi(hand) & 0xFF}


def test_the_steps_of_honours_are_those_of_suits_joined() -> None:
    rnd = random.Random(2023)
    for _ in range(100):
        kinds = tuple((rnd.randrange(COPIES + 1), 0) for _ in range(7))
        whole = riichi_honours.by_definition(kinds)
        apart = riichi_honours.by_definition(kinds[:1])
        for kind in kinds[1:]:
            apart = join_costs(apart, riichi_honours.by_definition((kind,)))
        assert apart == whole
        assert riichi_honours.by_definition(tuple(sorted(kinds))) == whole


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_steps_of_honours_that_lead_elsewhere_are_found(
    cpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def followed() -> Verdict:
        if cpu == "6502":
            return riichi_honours.check_rows(riichi_honours.add_kinds).verdict
        image = program(RIICHI_ROMS[cpu]).image
        return riichi_honours.check_rows(riichi_honours.of_counts(image)).verdict

    assert followed() is Verdict.PROVED
    monkeypatch.setattr(riichi_honours, "count_kind", lambda *counts: counts[:3])
    monkeypatch.setattr(riichi_honours, "with_kind", lambda costs, *kind: costs)
    assert followed() is Verdict.REFUTED


@pytest.mark.parametrize(
    ("together", "wanted"),
    [
        (riichi_joins.join_6502, riichi_joins.count_missing_6502),
        (riichi_joins.join_sm83, riichi_joins.count_missing_sm83),
    ],
    ids=RIICHI_ROMS,
)
def test_costs_together_are_those_of_the_model(
    together: Callable[..., list[int]], wanted: Callable[..., int]
) -> None:
    rnd = random.Random(2023)
    for _ in range(300):
        one, other = ((0, *rnd.choices(range(64), k=9)) for _ in range(2))
        by_model = join_costs(one, other)
        assert tuple(together(one, other)) == by_model
        assert [wanted(one, other, melds) for melds in range(5)] == list(by_model[5:])


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_the_stages_of_honours_are_the_definition(cpu: str) -> None:
    rnd = random.Random(2025)
    stages = riichi_honours.stages_6502()
    if cpu == "sm83":
        stages = riichi_honours.honour_costs(program(RIICHI_ROMS[cpu]).image).stages
    for _ in range(200):
        kinds = rnd.choices(riichi_honours.TYPES, k=7)
        while sum(melded > 0 for _, melded in kinds) > 4:
            kinds = rnd.choices(riichi_honours.TYPES, k=7)
        held, melded = ([0] * 27 + list(each) for each in zip(*kinds, strict=True))
        given = {"held": held, "melded": melded, "suits": rnd.choices(range(256), k=40)}
        before = given["suits"][:30]
        suits = list(run(stages, given)["suits"])
        assert suits[:30] == before
        wanted = riichi_honours.by_definition(tuple(sorted(kinds)))
        most = 4 - sum(melded > 0 for _, melded in kinds)
        for entry, cost in enumerate(wanted):
            assert entry % 5 > most or suits[30 + entry] == cost


def test_kans_are_those_of_the_model() -> None:
    rnd = random.Random(2024)
    for _ in range(300):
        pon = rnd.randrange(KINDS)
        held = [rnd.choice((0, 0, 1, 2, 3, 4)) for _ in range(KINDS)]
        held[pon] = rnd.randrange(2)
        melds = (Meld(MeldKind.PON, (pon, pon, pon)),) * rnd.randrange(2)
        wanted = own_kans(Hand(tuple(held), melds))
        pons = [int(bool(melds) and kind == pon) for kind in range(KINDS)]
        found = riichi_joins.kans(held, pons)
        assert [kind for kind in range(KINDS) if found[kind] == 1] == list(wanted.closed)
        assert [kind for kind in range(KINDS) if found[kind] == 2] == list(wanted.added)
