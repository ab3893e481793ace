"""No sentence decides anything: with every one of them gone, all else stays as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from cli_programs import Run
from prove_programs import project_of

from romproof.contract.nouns.statement import Statement, StatementKind
from romproof.harness.rom import Rom
from romproof.projects import build, find_manifest
from romproof.prover.catalogue import Property
from romproof.prover.results import Finding, Proof, Verdict
from romproof.prover.routines.cache import keep, recall
from romproof.prover.routines.program_proof import prove_rom
from romproof.symbolic.solve.deadline import NoAnswer
from romproof.text.cause import Cause
from romproof.text.messages import Message
from romproof.witness.results import Disagreement

SAID = ("statement", "detail", "reason", "test", "loose", "place", "rests_on", "notes")
"""What reports have for people."""
MEASURED = ("seconds", "work")

CLAIMED = """\
        .segment "ZEROPAGE"
n:      .res 1
buf:    .res 4
        .exportzp n, buf
        .segment "CODE"
        .export good, flags, keeps, slow, forever, jumps, pushes, table, counts, wide

;; good – a sum.
; in:       A n
; out:      A
; clobbers: N V Z C
; ensures:  A == (old A + n) & 255
; cycles:   11
good:   clc
        adc n
        rts

;; flags – depends on a flag.
; in:       A n
; out:      A
; clobbers: N V Z C
flags:  adc n
        rts

;; keeps – does not preserve X, and all else rests on that.
; in:       A
; out:      A
; clobbers: N Z
; ensures:  A == old A
keeps:  ldx #2
@loop:  dex
        bne @loop
        rts

;; slow – takes other cycles.
; in:       n
; out:      A
; clobbers: N Z
; cycles:   12..14
slow:   lda n
        bne @one
        nop
        nop
@one:   rts

;; forever – is endless.
; in:       A
; clobbers: N Z
forever: jmp forever

;; jumps – goes anywhere.
; in:       n buf[4]
; clobbers: A N Z
jumps:  jmp (buf)

;; pushes – leaves something on the stack.
; in:       A n
; clobbers: A N Z
pushes: ldx n
        beq @no
        pha
@no:    nop
        rts

;; table – reads beyond.
; in:       X buf[4]
; out:      A
; clobbers: N Z
table:  lda buf,x
        rts

;; counts – as often as it says, and not what it says.
; in:       none
; clobbers: X N Z
; loops:    @loop 2
; assert:   @loop: X <= 3
; assert:   @done: X == 0
; assert:   @done: X == 1
counts: ldx #3
@loop:  dex
        bne @loop
@done:  rts

;; wide – an upper bound that is not proved.
; in:       n
; out:      A
; clobbers: N Z C X
; requires: n in 1..9
; invariant: @loop: X in 1..9
wide:   ldx n
        lda #0
@loop:  dex
        bne @loop
        rts
"""

BARE = """\
        .segment "ZEROPAGE"
n:      .res 1
ptr:    .res 2
cells:  .res 4
        .exportzp n, ptr, cells
        .segment "CODE"
        .export step, store, fill, leap, spin, chained, through

step:   lda n
        asl a
        sta n
        rts
store:  sta cells,x
        rts
fill:   ldx #3
@loop:  sta cells,x
        dex
        bpl @loop
        rts
leap:   jmp (ptr)
spin:   jmp spin
chained: jsr step
        jsr fill
        rts
through: ldy #0
@loop:  lda (ptr),y
        beq @done
        iny
        bne @loop
@done:  rts
"""

WAITING = """\
SECTION "c", ROM0[$0150]

;; Claimed – until the line is B.
; in:       B $FF44[1]
; clobbers: A F
; assumes:  $FF44 changes
Claimed::
.loop
  ldh a, [$FF44]
  cp b
  ret z
  jr .loop

;; Calls – ends if its callee does.
; in:       B $FF44[1]
; clobbers: A F
Calls::
  call Claimed
  xor a
  ret

;; Halts – waits for an interrupt.
; clobbers: A
Halts::
  halt
  nop
  ret

Inferred::
.loop
  ldh a, [$FF44]
  cp b
  ret z
  jr .loop

After::
  call Inferred
  ld a, 1
  ret
"""


def muted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take all words from messages, and from what says something else to people."""

    def mute(kind: type, *names: str) -> None:
        made: Callable[..., None] = kind.__init__  # type: ignore[misc]

        @wraps(made)
        def init(self: Any, *args: Any, **fields: Any) -> None:
            made(self, *args, **fields)
            for name in names:
                object.__setattr__(self, name, "-")

        monkeypatch.setattr(kind, "__init__", init)

    monkeypatch.setattr(Message, "__str__", lambda message: "-")
    mute(Statement, "text")
    mute(Disagreement, "detail")


def plain(report: Any) -> Any:
    """A report without what it has for people, and without what it took."""
    if isinstance(report, dict):
        return {k: plain(v) for k, v in report.items() if k not in SAID + MEASURED}
    return [plain(each) for each in report] if isinstance(report, list) else report


def told(report: Any) -> list[str]:
    """The sentences of a report."""
    if isinstance(report, dict):
        own = [v for k, v in report.items() if k in ("statement", "detail") and isinstance(v, str)]
        return own + [each for v in report.values() for each in told(v)]
    return [each for v in report for each in told(v)] if isinstance(report, list) else []


def values(report: Any) -> list[str]:
    """The verdicts, grades and classes of a report."""
    if isinstance(report, dict):
        own = [v for k, v in report.items() if k in ("verdict", "grade", "class")]
        return own + [each for v in report.values() for each in values(v)]
    return [each for v in report for each in values(v)] if isinstance(report, list) else []


@pytest.mark.slow_cases("ports", "infer")
@pytest.mark.parametrize(
    ("command", "cpu", "source", "known"),
    [
        (("prove", "--jobs", "1"), "6502", CLAIMED, {"refuted", "unknown", "proved"}),
        (
            ("prove", "--jobs", "1", "--effort", "0.1"),
            "sm83",
            WAITING,
            {"proved if it ends", "unknown"},
        ),
        (("infer",), "6502", BARE, {"tight", "sound", "jump", "returns"}),
        pytest.param(("infer", "demo:After"), "sm83", WAITING, {"waits"}, marks=pytest.mark.slow),
    ],
    ids=["prove", "ports", "infer", "infer ports"],
)
def test_without_words_all_else_is_the_same(
    romproof: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    cpu: str,
    source: str,
    known: set[str],
) -> None:
    project_of(tmp_path, cpu, source)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "first"))
    spoken = romproof(*command, "--json")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "second"))
    with monkeypatch.context() as patch:
        muted(patch)
        silent, again = romproof(*command, "--json"), romproof(*command, "--json")
    words, none = json.loads(spoken.stdout), json.loads(silent.stdout)
    assert silent.returncode == spoken.returncode == again.returncode
    assert plain(none) == plain(words)
    assert known <= {*values(words)}
    assert all({*each} <= {*"-; "} for each in told(none))


def test_each_statement_of_a_contract_has_a_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_of(tmp_path, "6502", CLAIMED)
    monkeypatch.chdir(tmp_path)
    proofs = [*prove_rom(Rom(build(find_manifest("demo")).image))]
    found = [each for proof in proofs for each in proof.findings]
    assert {each.kind for each in found} > {
        StatementKind.PRESERVES,
        StatementKind.RETURNS,
        StatementKind.CYCLES,
        StatementKind.CONTRACT,
    }
    assert [str(each.statement) for each in found if each.kind is StatementKind.OTHER] == []
    unknown = [each for each in found if each.verdict is Verdict.UNKNOWN]
    assert [str(each.statement) for each in unknown if not each.causes] == []
    assert [Proof.from_json(each.to_json()) for each in proofs] == proofs


@pytest.mark.parametrize("causes", [(), (Cause.EFFORT,), (Cause.NOT_FILLED, Cause.TIME)])
def test_what_is_kept_is_decided_by_the_cause(
    causes: tuple[Cause, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    words = NoAnswer.TIME(seconds=9)
    proof = Proof("it", (Finding(Property.RETURNS(), Verdict.UNKNOWN, words, causes=causes),))
    keep("0" * 64, "it", None, proof, ((),))
    assert recall("0" * 64, "it", None) == (None if Cause.TIME in causes else (proof, ((),)))
