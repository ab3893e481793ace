"""Everything that is to be proved is proved, and the page says so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairdeck.proofs.every import LONGEST, NoSuchStatement, chosen, every
from romproof.prover.results import Verdict
from romproof.prover.routines.routine import ProofOptions

pytest.importorskip("z3", reason="proofs need z3")

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {False: DOCS / "proofs.md", True: DOCS / "proofs-long.md"}

NAMES = (
    *("tarot/6502/deck_init", "tarot/sm83/swap", "sha512/6502/ch", "sha512/sm83/start"),
    *("sha512/6502/big_sigma0", "mt19937/6502/temper", "mt19937/sm83/multiply-last"),
    *("riichi/6502/chiitoi_shanten", "riichi/sm83/chiitoi_shanten"),
)
"""What is proved here, as it takes little: some of each topic. `make proofs` proves all, and CI
runs it."""


@pytest.mark.quick_cases("mt19937/sm83/multiply-last")
@pytest.mark.parametrize("name", NAMES)
def test_the_statement_is_proved(name: str) -> None:
    statement = every()[name]
    proof = statement.proof(ProofOptions())
    assert statement.is_shown(proof), [f for f in proof.findings if f.verdict is not Verdict.PROVED]
    assert proof.findings, "nothing was claimed"


@pytest.mark.parametrize("long", [False, True])
def test_the_page_tells_of_every_statement(long: bool) -> None:
    page = PAGES[long].read_text("utf-8")
    own = [statement for statement in every().values() if statement.long == long]
    counted = re.search(r"(\d+) of (\d+) statements are proved, (\d+) are proved if", page)
    assert counted is not None
    whole, every_one, partial = map(int, counted.groups())
    assert whole + partial == every_one == len(own), "run: make proofs, and make proofs LONG=1"
    assert partial == sum(bool(statement.chance) for statement in own)
    for statement in own:
        assert f"## {statement.topic}\n" in page
        claim = statement.claim[0].upper() + statement.claim[1:]
        assert f"### {statement.subject}\n" in page, "run: make proofs"
        assert claim in page, "run: make proofs"


ONE_CPU = {"tarot/shuffle-fast-model"}
"""Of the SM83 alone: docs/library.md says what stands in the way on the 6502."""


def test_both_cpus_have_the_same_statements() -> None:
    sides = {cpu: {s.name.replace(f"/{cpu}/", "/") for s in every().values() if s.cpu == cpu}
             for cpu in ("6502", "sm83")}  # fmt: skip
    assert sides["sm83"] - sides["6502"] == ONE_CPU
    assert sides["6502"] <= sides["sm83"]


def test_statements_are_chosen_by_their_beginnings_and_by_patterns() -> None:
    names = [statement.name for statement in chosen(["tarot/sm83/flip", "*/swap"])]
    assert names == ["tarot/sm83/flip", "tarot/6502/swap", "tarot/sm83/swap"]
    assert {s.topic for s in chosen(["tarot"])} == {"tarot"}
    assert chosen([]) == [statement for statement in every().values() if not statement.long]
    assert all(statement.long for statement in chosen(["mt19937/*/mt_init_by_array"]))
    with pytest.raises(NoSuchStatement, match="did you mean 'tarot/6502/flip'"):
        chosen(["tarot/6502/flop"])


def test_the_longest_are_known_subjects() -> None:
    assert set(LONGEST) <= {statement.subject for statement in every().values()}


@pytest.mark.slow
def test_the_command() -> None:
    command = [sys.executable, "-c", "from fairdeck.cli import main; main()", "prove"]
    words = [*command, "tarot/6502/deck_init", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    data = json.loads(done.stdout)
    assert data["ok"] is True
    (row,) = data["statements"]
    assert (row["name"], row["verdict"]) == ("tarot/6502/deck_init", "proved")
    assert all(finding["verdict"] == "proved" for finding in row["findings"])
    refused = subprocess.run([*command, "nothing"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "nothing called 'nothing' is to be proved" in refused.stderr
