"""What ``romproof prove`` says of small routines, sound and broken, on both CPUs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli_programs import Run
from prove_programs import fails, project_of

HEAD_6502 = """\
        .segment "ZEROPAGE"
n:      .res 1
other:  .res 1
buf:    .res 4
        .exportzp n, other, buf
        .segment "CODE"
        .export it
"""
HEAD_SM83 = """\
SECTION "Variables", HRAM[$FF90]
n:: ds 1
other:: ds 1
buf:: ds 4
SECTION "Main", ROM0[$0150]
"""


@dataclass(frozen=True)
class Case:
    """A routine ``it`` with its contract, and what the proof says: ``shown`` that a test does."""

    contract: str
    code: str
    verdict: str
    statement: str = ""
    detail: str = ""
    shown: bool = True

    def source(self, cpu: str) -> str:
        fields = "".join(f"; {line.strip()}\n" for line in self.contract.split("/"))
        code = "".join(f"  {line.strip()}\n" for line in self.code.split("/"))
        code = code.replace("  @", "@").replace("  .", ".")
        header = f";; it – for a test.\n{fields}"
        if cpu == "sm83":
            return f"{HEAD_SM83}{header}it::\n{code}"
        return f"{HEAD_6502}{header}.proc it\n{code}.endproc\n"


MODULO = "in: A n / requires: n > 0 / out: A / clobbers: N V Z C / ensures: A == old A % n"
TURNS = "sec /@again: / cmp n / bcc @done / sbc n / jmp @again /@done: / rts"
ON_6502 = {
    "sound": Case(
        "in: A n / out: A / clobbers: N V Z C / ensures: A == (old A + n) & 255 / cycles: 11",
        "clc / adc n / rts",
        "proved",
    ),
    "dropped clc": Case(
        "in: A n / out: A / clobbers: N V Z C / ensures: A == (old A + n) & 255",
        "adc n / rts",
        "refuted",
        "depends on its inputs only",
        "A depends on C",
    ),
    "clobbers": Case(
        "in: A / out: A / clobbers: N Z",
        "tax / rts",
        "refuted",
        "preserves X Y",
        "X is not preserved",
    ),
    "cycles": Case(
        "in: n / out: A / clobbers: N Z / cycles: 12..14",
        "lda n / bne @one / nop / nop /@one: / rts",
        "refuted",
        "takes 12..14 cycles",
        "it can take 15",
    ),
    "constant cycles": Case(
        "in: n / out: A / clobbers: N Z / cycles: 12 constant",
        "lda n / bne @one / nop / nop /@one: / rts",
        "refuted",
        "takes 12 cycles, whatever its inputs",
        "it takes 12 for one input and 15 for the other",
    ),
    "loose cycles": Case(
        "in: n / out: A / clobbers: N Z / cycles: 9..10",
        "lda n / rts",
        "proved",
        "takes 9..10 cycles",
        "no input takes more than 9",
        shown=False,
    ),
    "stack": Case(
        "in: A / out: A / clobbers: N Z / stack: 0",
        "pha / pla / rts",
        "refuted",
        "uses at most 0 bytes of stack",
        "it uses 1",
    ),
    "an undeclared read": Case(
        "in: none / out: A / clobbers: N Z",
        "lda other / rts",
        "refuted",
        "reads only its inputs",
        "(other)",
        shown=False,
    ),
    "a write outside": Case(
        "in: X n / out: buf[4] / clobbers: A N Z",
        "lda n / sta buf,x / rts",
        "refuted",
        "changes buf[4]",
        "writes memory that is not one of its outputs",
    ),
    "ensures": Case(
        "in: A / out: A / clobbers: N Z / ensures: A > 0",
        "eor #$AA / rts",
        "refuted",
        "ensures A > 0",
        "does not hold",
    ),
    "a secret": Case(
        "in: n / out: A / secret: n / clobbers: N Z",
        "lda n / beq @zero / nop /@zero: / rts",
        "refuted",
        "keeps n[1] secret",
        "a branch at",
    ),
    "a loop without bound": Case(
        "in: n / out: none / clobbers: A N Z",
        "@again: / lda n / bne @again / rts",
        "unknown",
        "can be followed",
        "may be an endless loop",
    ),
    "an invariant without a number that decreases": Case(
        f"{MODULO} / invariant: @again: A % n == old A % n",
        TURNS,
        "proved if it ends",
        "returns, for every input",
        "nothing shows that the loop ends",
        shown=False,
    ),
    "an invariant": Case(
        f"{MODULO} / invariant: @again: A % n == old A % n / decreases: @again: A / cycles: 14..",
        TURNS,
        "proved",
    ),
    "an invariant that says too little": Case(
        f"{MODULO} / invariant: @again: A <= old A / decreases: @again: A",
        TURNS,
        "unknown",
        "ensures A == old A % n",
        "from a state at it@again that its invariant allows",
        shown=False,
    ),
    "an invariant that does not hold": Case(
        f"{MODULO} / invariant: @again: A % n == old A % n, A < 200",
        TURNS,
        "refuted",
        "invariant at $1001 (it@again): A < 200",
        "it does not hold on entry",
    ),
    "what is required": Case(
        "in: X n / out: buf[4] / clobbers: A N Z / requires: X < 4",
        "lda n / sta buf,x / rts",
        "proved",
    ),
}
ON_SM83 = {
    "sound": Case(
        "in: A B / out: A / clobbers: F / ensures: A == (old A + B) & 255 / cycles: 5",
        "add a, b / ret",
        "proved",
    ),
    "a carry too many": Case(
        "in: A B / out: A / clobbers: F / ensures: A == (old A + B) & 255",
        "adc a, b / ret",
        "refuted",
        "depends on its inputs only",
        "CF",
    ),
    "clobbers": Case(
        "in: A / out: A / clobbers: none",
        "ld b, a / ret",
        "refuted",
        "preserves",
        "B is not preserved",
    ),
    "cycles": Case(
        "in: A / out: A / clobbers: F / cycles: 8",
        "or a / jr z, .zero / inc a / inc a /.zero: / ret",
        "refuted",
        "takes 8 M-cycles",
        "it can take 9",
    ),
    "stack": Case(
        "in: BC / out: none / clobbers: none / stack: 0",
        "push bc / pop bc / ret",
        "refuted",
        "uses at most 0 bytes of stack",
        "it uses 2",
    ),
    "an undeclared read": Case(
        "in: none / out: A / clobbers: none",
        "ldh a, [other] / ret",
        "refuted",
        "reads only its inputs",
        "(other)",
        shown=False,
    ),
    "a write outside": Case(
        "in: A B / out: buf[4] / clobbers: HL F",
        "ld hl, buf / ld c, a / ld a, l / add a, b / ld l, a / ld [hl], c / ld a, c / ret",
        "refuted",
        "changes buf[4]",
        "writes memory that is not one of its outputs",
    ),
    "a loop without bound": Case(
        "in: n / out: none / clobbers: A F",
        ".again: / ldh a, [n] / or a / jr nz, .again / ret",
        "unknown",
        "can be followed",
        "may be an endless loop",
    ),
}
CASES = [("6502", name, case) for name, case in ON_6502.items()]
CASES += [("sm83", name, case) for name, case in ON_SM83.items()]
IDS = [f"{cpu} {name}" for cpu, name, _ in CASES]


@pytest.mark.slow_cases(
    "6502 sound",
    "6502 a loop without bound",
    "6502 an invariant without a number that decreases",
    "6502 an invariant",
    "6502 an invariant that says too little",
    "6502 an invariant that does not hold",
    "sm83 sound",
    "sm83 a loop without bound",
)
@pytest.mark.parametrize(("cpu", "name", "case"), CASES, ids=IDS)
def test_the_verdict(romproof: Run, tmp_path: Path, cpu: str, name: str, case: Case) -> None:
    project_of(tmp_path, cpu, case.source(cpu))
    # what is unknown need not take long
    timeout = "3" if case.verdict == "unknown" else "600"
    done = romproof("prove", "--timeout", timeout, "--json")
    assert (done.returncode, done.stderr) == (0 if case.verdict == "proved" else 1, "")
    (rom,) = json.loads(done.stdout)["roms"]
    (routine,) = rom["routines"]
    assert (routine["name"], routine["verdict"]) == ("it", case.verdict)
    if case.verdict == "proved":
        assert all(finding["verdict"] == "proved" for finding in routine["findings"])
        return
    found = [f for f in routine["findings"] if f["statement"].startswith(case.statement)]
    assert [f["verdict"] for f in found] == [case.verdict]
    assert case.detail in found[0]["detail"]
    from_invariant = found[0]["state"] is not None
    assert (found[0]["example"] is not None) == (case.verdict == "refuted" or from_invariant)
    tests = [finding["test"] for finding in routine["findings"] if finding["test"]]
    assert bool(tests) == (case.verdict == "refuted" and case.shown) or name == "an undeclared read"
    for test in tests:
        fails(test, tmp_path)
