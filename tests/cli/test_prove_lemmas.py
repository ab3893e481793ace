"""Routines proved first stand for their code in their callers; what they require has to hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_programs import Run
from prove_programs import project_of

SOURCES = {
    "6502": """\
        .segment "ZEROPAGE"
buf:    .res 10
        .exportzp buf
        .segment "CODE"
        .export caller, callee
;; callee – empty a cell.
; in:       X
; requires: {conditions}
; out:      buf[10]
; clobbers: A N Z
.proc callee
  lda #0
  sta buf,x
  rts
.endproc
;; caller – empty one of the first eight cells, or of more.
; in:       A
; out:      buf[10]
; clobbers: A X N Z
.proc caller
  and #{mask}
  tax
  jmp callee
.endproc
""",
    "sm83": """\
SECTION "Variables", HRAM[$FF90]
buf:: ds 10
SECTION "Main", ROM0[$0150]
;; callee – empty a cell.
; in:       E
; requires: {conditions}
; out:      buf[10]
; clobbers: A HL F
callee::
  ld hl, buf
  ld a, l
  add a, e
  ld l, a
  ld [hl], 0
  ret
;; caller – empty one of the first eight cells, or of more.
; in:       A
; out:      buf[10]
; clobbers: A E HL F
caller::
  and {mask}
  ld e, a
  jp callee
""",
}
INDEX = {"6502": "X", "sm83": "E"}


def reads(romproof: Run, folder: Path, cpu: str, mask: int, conditions: str) -> dict[str, Any]:
    """The finding on what the caller reads, which tells of the calls that it makes, too."""
    project_of(folder, cpu, SOURCES[cpu].format(mask=mask, conditions=conditions))
    done = romproof("prove", "--timeout", "1000", "--json")
    assert done.stderr == ""
    (rom,) = json.loads(done.stdout)["roms"]
    callee, caller = rom["routines"]
    assert (callee["name"], callee["verdict"], caller["name"]) == ("callee", "proved", "caller")
    assert caller["lemmas"] == ["callee"]
    (found,) = [f for f in caller["findings"] if f["statement"] == "reads only its inputs"]
    return dict(found)


@pytest.mark.slow_cases("{0} < 10 and {0} != 255-sm83")
@pytest.mark.parametrize("cpu", SOURCES)
@pytest.mark.parametrize("condition", ["{0} <= 9", "{0} in 0..9", "{0} < 10 and {0} != 255"])
def test_a_call_with_less_than_a_lemma_requires_is_refuted(
    romproof: Run, tmp_path: Path, cpu: str, condition: str
) -> None:
    condition = condition.format(INDEX[cpu])
    found = reads(romproof, tmp_path, cpu, 15, condition)
    assert found["verdict"] == "refuted"
    assert f"calls callee, which requires {condition}" in found["detail"]
    (value,) = found["example"]["registers"].values()
    assert value & 15 > 9


@pytest.mark.parametrize("cpu", SOURCES)
def test_a_call_with_what_a_lemma_requires_is_proved(
    romproof: Run, tmp_path: Path, cpu: str
) -> None:
    found = reads(romproof, tmp_path, cpu, 7, f"{INDEX[cpu]} <= 9")
    assert found["verdict"] == "proved"
