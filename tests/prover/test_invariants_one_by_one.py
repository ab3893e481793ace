"""Candidates for invariants that are judged each by itself: what follows from others is not asked
of the code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from infer_programs import rom_sm83

from romproof.prover.invariants import houdini
from romproof.prover.routines.routine import ProofTask, explore_routine
from romproof.prover.states.program import program_of
from romproof.prover.states.view import for_any
from romproof.symbolic.solve.effort import Share
from romproof.symbolic.solve.oracle import Oracle
from romproof.symbolic.terms.node import Terms, using
from romproof.symbolic.terms.term import Term

COPY = """\
SECTION "v", WRAM0[$C100]
wFrom:: ds 16
wTo:: ds 16

SECTION "c", ROM0[$0150]
Start::
  ld hl, wFrom
  ld de, wTo
  ld c, 16
  call Copy
  jp Start

SECTION "copy", ROM0[$0200]
;; Copy – C bytes from HL to DE
; in:        C DE HL wFrom
; requires:  C in 1..16, HL == $C100, DE == $C110
; out:       C DE HL
; clobbers:  A F wTo
; invariant: Copy: {invariant}
; decreases: Copy: C
Copy::
  ld a, [hl+]
  ld [de], a
  inc de
  dec c
  jr nz, Copy
  ret
"""

PLACE = 0x200
BOUNDS = "C >= 1", "C <= old C"
WAYS = (
    "DE == old DE + (HL - old HL)",
    "HL == old HL + (old C - C) % 256",
    "DE == old DE + (old C - C) % 256",
)


def judged(
    texts: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[list[str]], list[int]]:
    """The conditions that are kept, and how many were asked of the code, for each leg to the
    loop."""
    rom = rom_sm83(tmp_path, COPY.format(invariant=", ".join(texts)))
    contract = rom.contract_of("Copy")
    assert contract is not None
    program, place = program_of(rom), PLACE
    asked: list[int] = []
    holds = Oracle.holds

    def counted(
        self: Oracle, path: Sequence[Term], claim: Term, share: Share | None = None
    ) -> bool:
        if asked and share is None:  # of the code of a leg, not of conditions alone
            asked[-1] += 1
        return holds(self, path, claim, share)

    monkeypatch.setattr(Oracle, "holds", counted)
    kept: list[list[str]] = []
    with using(Terms()):
        case = explore_routine(ProofTask(program, contract, place)).case
        conditions = contract.invariants[0].conditions
        for leg in case.exploration.legs_to(place):
            asked.append(0)
            claims = [(one, for_any(one, case.abi, leg.at, case.entry)) for one in conditions]
            left = houdini._prove_each(case, leg, place, claims)
            kept.append([one.text for one in left])
    return kept, asked


def test_the_way_of_the_second_pointer_is_not_asked_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = (*WAYS, *BOUNDS)
    kept, asked = judged(every, tmp_path, monkeypatch)
    assert kept == [list(every)] * 2  # at the entry, and after an iteration
    assert asked == [len(every) - 1] * 2


def test_what_an_iteration_breaks_is_not_kept_and_nothing_follows_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "DE == old DE", "DE <= old DE"
    kept, asked = judged((*wrong, "C >= 1"), tmp_path, monkeypatch)
    assert kept == [[*wrong, "C >= 1"], ["C >= 1"]]
    assert asked[1] == 3
