"""The ten claims are the same for both provers, and their truth is as it is written down."""

from __future__ import annotations

import random
from typing import Any

import peers_path
import pytest
from every_case import every_case
from peers.answer_romproof import answer
from peers.asking import PROGRAM, Answer, kept, values_of
from peers.claims import CLAIMS, Claim
from peers.page import verdict

import romproof
from romproof.harness.errors import ContractViolation, RequirementBroken

EDGES = (0, 1, 9, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0xFE, 0xFF)
RUNS = 150
BY_NAME = {claim.name: claim for claim in CLAIMS}


def question(claim: Claim) -> dict[str, Any]:
    image = romproof.load(PROGRAM).loaded
    (code,) = image.blocks
    return {
        "name": claim.name,
        "at": code.address,
        "code": code.data.hex(),
        "entry": image.symbol(claim.name).value,
        "places": {name: image.symbol(name).value for name in claim.memory},
        "timeout": 60,
    }


def inputs_of(claim: Claim, chance: random.Random) -> dict[str, int]:
    names = [*claim.registers]
    names += [f"{name}+{i}" for name, size in claim.memory.items() for i in range(size)]
    return {
        n: chance.choice(EDGES) if chance.random() < 0.4 else chance.randrange(256) for n in names
    }


def keeps_contract(rom: romproof.Rom, claim: Claim, inputs: dict[str, int]) -> bool | None:
    """None: the contract does not allow these inputs."""
    memory = {
        name: bytes(inputs[f"{name}+{i}"] for i in range(size))
        for name, size in claim.memory.items()
    }
    try:
        rom.call(claim.name, mem=memory, **{name: inputs[name] for name in claim.registers})
    except RequirementBroken:
        return None
    except ContractViolation:
        return False
    return True


def test_there_are_ten_and_two_are_false() -> None:
    assert len(CLAIMS) == len(BY_NAME) == 10
    assert [claim.name for claim in CLAIMS if not claim.holds] == ["average_lsr", "saturate_by_v"]


@pytest.mark.slow
@every_case("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim_and_contract_say_the_same(claim: Claim) -> None:
    rom, asked, chance = romproof.load(PROGRAM), question(claim), random.Random(10)
    seen = []
    for _ in range(RUNS):
        inputs = inputs_of(claim, chance)
        ours = keeps_contract(rom, claim, inputs)
        theirs = kept(claim, inputs, asked)
        assert all(claim.requires(values_of(claim, inputs))) is (ours is not None), inputs
        assert theirs is (ours is not False), inputs
        seen.append(ours)
    assert seen.count(True) > RUNS / 20
    assert (False in seen) is not claim.holds


@pytest.mark.slow_cases("maximum")
@pytest.mark.parametrize("name", ["maximum", "average_lsr", "saturate_by_v"])
def test_romproof_knows_the_truth(name: str) -> None:
    claim, asked = BY_NAME[name], question(BY_NAME[name])
    found = answer(asked)
    assert found["verdict"] == ("proved" if claim.holds else "refuted")
    if not claim.holds:
        assert not kept(claim, found["example"], asked)


@pytest.mark.proof
@every_case("claim", CLAIMS, ids=lambda claim: claim.name)
def test_romproof_knows_the_truth_of_all(claim: Claim) -> None:
    assert answer(question(claim))["verdict"] == ("proved" if claim.holds else "refuted")


@pytest.mark.parametrize(
    ("said", "holds", "shown"),
    [
        (Answer("proved", 1.0), True, "proved"),
        (Answer("proved", 1.0), False, "**wrong**: proved"),
        (Answer("refuted", 1.0, real=True), False, "refuted, real"),
        (Answer("refuted", 1.0, real=False), True, "**wrong**: refuted, not real"),
        (Answer("refuted", 1.0, real=False), False, "**wrong**: refuted, not real"),
        (Answer("unknown", 300.0, detail="not finished"), True, "unknown: not finished"),
    ],
)
def test_verdicts_are_held_against_the_truth(said: Answer, holds: bool, shown: str) -> None:
    claim = Claim("name", "about", "a", {}, BY_NAME["maximum"].ensures, holds=holds)
    assert verdict(said, claim) == shown


def test_the_page_speaks_of_what_is_pinned() -> None:
    page = (peers_path.ROOT / "docs/peers.md").read_text("utf-8")
    pins = (peers_path.ROOT / "bench/peers/requirements.txt").read_text("utf-8").splitlines()
    for pin in pins[1:]:
        name, exact, version = pin.split("#")[0].strip().partition("==")
        if exact and name != "pycparser":
            assert f"{name} {version}" in page.replace("PyBoy", "pyboy"), pin
    for claim in CLAIMS:
        assert f"| `{claim.name}` | {claim.about} |" in page
