"""Invariants and bounds of loops: which code they are about, and what they say of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from headers import contract_of, fault_of

from romproof.contract.nouns.model import Contract
from romproof.contract.reading.parse import parse_contracts
from romproof.projects import Manifest, build
from romproof.text.diagnostic import BuildFailed


@pytest.mark.parametrize(
    ("label", "addresses"),
    [
        ("@step", (0xC010, 0xC012)),
        ("@step_1", (0xC011,)),
        ("@step*", (0xC010, 0xC011, 0xC012)),
        ("@*_1", (0xC011,)),
        ("@step#2", (0xC012,)),
        ("go@step", (0xC010,)),
        ("@step+3", (0xC013, 0xC015)),
        ("@step#2+$1A", (0xC02C,)),
        ("go+0", (0xC000,)),
        ("inner@step", (0xC012,)),
        ("go::inner@step", (0xC012,)),
        ("other@step", (0xC112,)),
        ("far@step", (0xD000,)),
        ("draw_0", (0xC020,)),
        ("draw_*", (0xC020, 0xC021)),
        ("go::draw_*", (0xC020, 0xC021)),
        ("*draw_*", (0xC020, 0xC021)),
        (".turn", (0xC030,)),
        ("other.turn", (0xC130,)),
        # outside of a .proc another label owns what is in the routine
        ("@late", (0xC040,)),
        ("go", (0xC000,)),
    ],
)
def test_labels(label: str, addresses: tuple[int, ...]) -> None:
    contract = contract_of(f"; invariant: {label}: C\n; loops: {label} 3")
    assert contract.invariants[0].addresses == addresses
    assert contract.loops[0].addresses == addresses
    assert contract.invariants[0].label == contract.loops[0].label == label


@pytest.mark.parametrize(
    ("label", "help"),
    [
        ("@setp", "did you mean '@step'?"),
        (".trun", "did you mean '.turn'?"),
        ("draw_9", "did you mean 'draw_"),
        ("inner@stop", "inner@step'?"),
        ("@q*", "labels are those of the source"),
        ("@step#3", "did you mean '@step"),
        ("SIZE", "labels are"),
    ],
)
def test_labels_that_are_none(label: str, help: str) -> None:
    for line, column in ((f"; invariant: {label}: C", 14), (f"; loops: {label} 3", 10)):
        found = fault_of(line)
        assert f"prog.s:2:{column}: error: no label '{label}' in the routine 'go'" in found
        assert help in found
        assert re.search(rf"\| {{{column - 1},}}\^{{{len(label)}}}$", found, re.MULTILINE)


def test_invariants_may_stand_several_times() -> None:
    contract = contract_of(
        "; out: A\n; invariant: @step: X < 3, A == old A (x)\n; stack: 2\n"
        "; Invariant: @step_1 :\n;    C -> Z\n; invariant: none\n; invariant: @step: Y < 3"
    )
    texts = [(i.label, [c.text for c in i.conditions]) for i in contract.invariants]
    assert texts == [
        ("@step", ["X < 3", "A == old A"]),
        ("@step_1", ["C -> Z"]),
        ("@step", ["Y < 3"]),
    ]
    assert str(contract.invariants[1].span) == "prog.s:5:14"
    assert str(contract.place("invariant")) == "prog.s:3:3"
    assert contract.stack == 2


def test_bounds_of_loops() -> None:
    contract = contract_of(
        "; loops: @step 7, @step_1 1..8 (see below, it says why),\n"
        ";    draw_0 SIZE - 1, draw_1 SIZE..2*SIZE"
    )
    found = [(loop.label, loop.least, loop.most) for loop in contract.loops]
    assert found == [("@step", 0, 7), ("@step_1", 1, 8), ("draw_0", 0, 77), ("draw_1", 78, 156)]
    assert str(contract.loops[2].span) == "prog.s:3:6"
    assert contract_of("; loops: none").loops == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("; loops:", "the field 'loops' is empty"),
        ("; loops: @step", "an entry of 'loops' is a label and the number of its executions"),
        ("; loops: @step 3,", "an entry of 'loops'"),
        ("; loops: 3 @step", "no label '3'"),
        ("; loops: @step X", "this is not a constant"),
        ("; loops: @step 3 4", "expected the end, not '4'"),
        ("; loops: @step 3..", "expected a number, a name or a parenthesis, not the end"),
        ("; loops: @step 0", "'@step' cannot be executed 0..0 times"),
        ("; loops: @step 5..3", "'@step' cannot be executed 5..3 times"),
        ("; loops: @step old A", "'old' has no meaning here"),
        ("; loops: @step 3, @step 4", "'@step' is listed twice"),
        ("; loops: @step 3\n; loops: @step_1 3", "the contract has the field 'loops' twice"),
        ("; invariant:", "the field 'invariant' is empty"),
        ("; invariant: X < 3", "an invariant begins with a label and a colon"),
        ("; invariant: @step: ", "a condition is missing here"),
        ("; invariant: @step: X", "a number, neither true nor false"),
        ("; out: A\n; invarant: @step: C", "did you mean 'invariant'?"),
        ("; out: A\n; precondition: C", "did you mean 'requires'?"),
    ],
)
def test_malformed_fields(line: str, message: str) -> None:
    found = fault_of(line)
    assert message in found, found
    assert re.search(r"^prog\.s:\d+:\d+: error: ", found, re.MULTILINE)


def test_secrets_are_inputs() -> None:
    contract = contract_of("; in: A C bare[4] table\n; secret: C bare table[3]")
    names = [getattr(item, "name", None) for item in contract.secrets]
    assert names == ["C", "bare", "table"]
    assert [item.size for item in contract.secrets if hasattr(item, "size")] == [4, 3]
    for line in ("X", "byte", "bare[5]"):
        assert "is not an input" in fault_of(f"; in: A C bare[4] table\n; secret: {line}")
    assert "no symbol 'tabel'" in fault_of("; in: table\n; secret: tabel")


@pytest.mark.parametrize(
    ("text", "cycles", "constant"),
    [
        ("38 constant", (38, 38), True),
        ("38   constant", (38, 38), True),
        ("37_633 constant (M-cycles, entry to RET inclusive)", (37633, 37633), True),
        ("38 (M-cycles) constant", (38, 38), True),
        ("38", (38, 38), False),
        ("38   (constant for most)", (38, 38), False),
        ("38  (not constant)", (38, 38), False),
        ("38..40", (38, 40), False),
    ],
)
def test_constant_cycles(text: str, cycles: tuple[int, int], constant: bool) -> None:
    contract = contract_of(f"; cycles: {text}")
    assert (contract.cycles, contract.constant_cycles) == (cycles, constant)


@pytest.mark.parametrize("claim", ["38..40", "38.."])
def test_only_one_number_of_cycles_is_constant(claim: str) -> None:
    assert f"'{claim}' is not a constant" in fault_of(f"; cycles: {claim} constant")


# -- in programs that were built -----------------------------------------------------

CA65 = """\
.macro spin
  .local again
again:
  dex
  bne again
.endmacro

.export go, next
;; go – turns.
; out: X
; invariant: top: X > 0
; invariant: again#2: X > 1
; loops: top 5, again 7, @top 2
.proc go
top:
  spin
  spin
  dey
  bne top
.proc inner
@top:
  dey
  bne @top
.endproc
  rts
.endproc

;; next – is no .proc.
; out: X
; loops: @back 9
next:
  ldx #9
middle:
@back:
  dex
  bne @back
  rts
"""
RGBDS = """\
MACRO spin
.again\\@
  dec b
  jr nz, .again\\@
ENDM

SECTION "code", ROM0
;; go – turns.
; out: B
; invariant: .top: B > 0
; loops: .top 5, .again* 7, .again*#2 6
go::
.top
  spin
  spin
  dec c
  jr nz, .top
  ret
"""


def _built(path: Path, text: str, cpu: str) -> dict[str, Contract]:
    path.write_text(text, "utf-8")
    return dict(parse_contracts(build(Manifest("prog", (path,), cpu=cpu)).image))


def test_labels_of_ca65(tmp_path: Path) -> None:
    contracts = _built(tmp_path / "prog.s", CA65, "6502")
    go, after = contracts["go"], contracts["next"]
    start = go.loops[0].addresses[0]
    assert [loop.addresses for loop in go.loops[:3]] == [
        (start,),
        (start, start + 3),
        (start + 9,),
    ]
    assert go.invariants[1].addresses == (start + 3,)
    assert after.loops[0].addresses == (start + 15,)


def test_labels_of_rgbds(tmp_path: Path) -> None:
    go = _built(tmp_path / "prog.asm", RGBDS, "sm83")["go"]
    start = go.loops[0].addresses[0]
    assert [loop.addresses for loop in go.loops] == [
        (start,),
        (start, start + 3),
        (start + 3,),
    ]


UNNAMED = """\
.export go
;; go – counts down.
; in:        X
; invariant: go+{}: X == X
.proc go
  lda #1
: dex
  bne :-
  rts
.endproc
"""


def test_a_place_in_the_middle_of_an_instruction_is_none(tmp_path: Path) -> None:
    first, second = (
        _built(tmp_path / "prog.s", UNNAMED.format(number), "6502")["go"] for number in (0, 2)
    )
    (start,) = first.invariants[0].addresses
    assert second.invariants[0].addresses == (start + 2,)
    with pytest.raises(BuildFailed, match=rf"no instruction begins at \${start + 1:04X}"):
        _built(tmp_path / "prog.s", UNNAMED.format(1), "6502")
