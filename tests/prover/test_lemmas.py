"""What a caller may take from a routine that was proved before."""

from __future__ import annotations

from pathlib import Path

import pytest
from claims import PROVED, Said, few_runs, rom_of, source

from romproof.harness.rom import Rom
from romproof.projects import build, find_manifest
from romproof.prover.prover import Prover
from romproof.prover.results import Verdict
from romproof.prover.routines.program_proof import prove_rom
from romproof.prover.routines.routine import ProofOptions

SOURCE = """\
        .segment "ZEROPAGE"
seed:   .res 1
kept:   .res 1
        .exportzp seed, kept
        .segment "CODE"
;; ahead – counts the seed on by some number.
; in:        seed
; out:       A seed
; clobbers:  X N V Z C
; invariant: @again: X in 1..4
.export ahead
.proc ahead
  ldx #4
@again:
    inc seed
    dex
    bne @again
  lda seed
  rts
.endproc

;; through – the same by a call.
; in:       seed
; out:      A seed
; clobbers: X N V Z C
.export through
.proc through
  jsr ahead
  rts
.endproc

;; twice – counts on twice.
; in:       seed
; out:      A seed kept
; clobbers: X N V Z C
; ensures:  {ensures}
.export twice
.proc twice
  jsr through
  sta kept
  jsr through
  rts
.endproc
"""


@pytest.mark.slow_cases("seed <= 255-True")
@pytest.mark.parametrize(("ensures", "holds"), [("A == kept", False), ("seed <= 255", True)])
def test_what_is_not_known_of_a_call_is_another_thing_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ensures: str, holds: bool
) -> None:
    """Nothing is ensured of what ``ahead`` gives, so nothing is known of what ``through`` does."""
    pytest.importorskip("z3", reason="what is asked of these routines needs it")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo.s").write_text(SOURCE.format(ensures=ensures), "utf-8")
    table = '[tool.romproof]\nname = "demo"\ncpu = "6502"\nsources = ["demo.s"]\n'
    (tmp_path / "pyproject.toml").write_text(table)
    rom = Rom(build(find_manifest("demo")).image)
    proofs = {proof.routine: proof for proof in prove_rom(rom, (), ProofOptions())}
    assert proofs["through"].lemmas == ("ahead",)
    found = {str(each.statement): each for each in proofs["twice"].findings}
    assert (found[f"ensures {ensures}"].verdict is Verdict.PROVED) == holds


LISTED_AND_NOT_READ = """\
        .segment "BSS"
arr:    .res 4
        .export arr
        .segment "CODE"
        .export clear, it
;; clear - a contract that lists as read what is only written.
; in: arr[4]
; out: none
; clobbers: X N Z arr[4]
; invariant: @l: X in 0..3
; decreases: @l: X
.proc clear
  ldx #3
@l: sta arr,x
  dex
  bpl @l
  rts
.endproc
;; it - its caller.
; in: A
; out: none
; clobbers: X N Z arr[4]
.proc it
  jmp clear
.endproc
"""


def test_what_a_callee_may_read_by_its_contract_refutes_nothing() -> None:
    """The run writes there, and reads before it as the chip does without use: neither is a read."""
    by_name = {proof.routine: proof for proof in prove_rom(rom_of("6502", LISTED_AND_NOT_READ))}
    assert by_name["clear"].verdict is Verdict.PROVED
    (reads,) = [f for f in by_name["it"].findings if str(f.statement) == "reads only its inputs"]
    assert (reads.verdict, reads.replayed) == (Verdict.UNKNOWN, None)
    assert "by the contract of a callee" in reads.detail


# ---------------------------------------------------------------- conditions on all of an array

FILL = (
    "out: arr[4]; ensures: all j in 0..3: arr[j] == 7; clobbers: A X N Z; "
    "invariant: @l: X <= 3, all j in 0..3: j > X -> arr[j] == 7; decreases: @l: X",
    "ldx #3/@l: lda #7/sta arr,x/dex/bpl @l/rts",
)


def _of_caller(ensures: str, then: str = "") -> Verdict:
    said = Said(
        f"in: m; out: arr[4]; clobbers: callees, A X N Z; ensures: {ensures}",
        f"jsr fill{then}/rts",
        others={"fill": FILL},
    )
    own = Prover(rom_of("6502", source("6502", said)))
    with few_runs():
        assert own.routine("fill").verdict is PROVED
        return own.routine("it").verdict


@pytest.mark.slow
@pytest.mark.parametrize("every", [False, True])
def test_what_holds_of_all_bytes_is_handed_on_of_one_and_of_each(
    every: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # where the condition is a long one callers know it of one unknown byte, and of no other
    monkeypatch.setattr("romproof.prover.states.view.MAX_KNOWN", 1200 if every else 0)
    assert _of_caller("all j in 0..3: arr[j] == 7") is PROVED
    assert (_of_caller("arr[2] == 7") is PROVED) == every


@pytest.mark.quick_cases("all j in 0..3: arr[j] == 6-")
@pytest.mark.parametrize(
    ("ensures", "then"),
    [
        ("all j in 0..3: arr[j] == 6", ""),
        ("all j in 0..3: arr[j] == 7 + (m == 5)", ""),
        ("all j in 0..3: arr[j] == 7", "/inc arr+3"),
        ("all j in 0..3: arr[3 - j] == 7", "/ldx m/stx arr"),
    ],
)
def test_what_does_not_hold_of_all_bytes_is_not_shown_by_one(ensures: str, then: str) -> None:
    assert _of_caller(ensures, then) is not PROVED


@pytest.mark.parametrize(
    ("ensures", "holds"),
    [
        ("all j in 0..2: arr[j + 1] == (arr[j] >> 1) ^ 184", True),
        ("all j in 0..2: arr[j + 1] == (arr[j] >> 1) ^ 185", False),
        ("all j in 0..2: arr[j + 1] == (arr[j] >> 2) ^ 184", False),
        ("all j in 0..2: arr[j] == (arr[j + 1] >> 1) ^ 184", False),
        ("all j in 0..3: arr[j + 1] == (arr[j] >> 1) ^ 184", False),
    ],
)
def test_straight_code_that_makes_each_byte_of_the_one_before(ensures: str, holds: bool) -> None:
    step = "lsr a/eor #184/sta arr+"
    said = Said(
        f"in: m; out: arr[4]; clobbers: A N Z C; ensures: {ensures}",
        f"lda m/sta arr/{step}1/{step}2/{step}3/rts",
    )
    own = Prover(rom_of("6502", source("6502", said)))
    with few_runs():
        assert (own.routine("it").verdict is PROVED) == holds
