"""What contracts require of calls and ensure after them, while programs run."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.harness.errors import ContractViolation, RequirementBroken
from romproof.harness.rom import Rom
from romproof.projects import Manifest, build
from romproof.text.errors import RomproofError

CA65 = """\
LAST = 9
.export add, table, caller, decimal, sum
.segment "ZEROPAGE"
table:  .res 4
sum:    .res 2
.segment "CODE"

;; add – adds X to A.
; in:       A X table
; requires: A <= 127, X <= LAST, all j in 0..3: table[j] < 4
; out:      A
; ensures:  A == old A + X, not C
; clobbers: N V Z C sum
; stack:    0
.proc add
  stx sum
  clc
  adc sum
  rts
.endproc

; calls it with whatever it has
.proc caller
  jsr add
  rts
.endproc

;; decimal – adds in decimal.
; in:       A D
; out:      A
; clobbers: N V Z C
.proc decimal
  clc
  adc #5
  rts
.endproc
"""
WRONG = CA65.replace("  clc\n  adc sum\n", "  sec\n  adc sum\n")
RGBDS = """\
DEF LAST EQU 9
SECTION "data", WRAM0
table:: ds 4
SECTION "code", ROM0

;; add_l – adds L to A.
; in:       A HL table
; requires: A <= 127, HL in $C000..$C000 + LAST, all j in 0..3: table[j] < 4
; out:      A
; ensures:  A == old A + L, old HL == HL
; clobbers: F
; stack:    0
add_l::
  add a, l
  ret

; calls it with whatever it has
caller::
  call add_l
  ret
"""


def _rom(path: Path, text: str, cpu: str) -> Rom:
    path.write_text(text, "utf-8")
    return Rom(build(Manifest("prog", (path,), cpu=cpu)).image, "plain")


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    """The program of the 6502."""
    return _rom(tmp_path / "prog.s", CA65, "6502")


@pytest.fixture
def gb(tmp_path: Path) -> Rom:
    """The program of the SM83."""
    return _rom(tmp_path / "prog.asm", RGBDS, "sm83")


def _refused(rom: Rom, name: str, **arguments: object) -> str:
    with pytest.raises(RequirementBroken) as caught:
        rom.call(name, **arguments)  # type: ignore[arg-type]
    assert isinstance(caught.value, RomproofError)
    return str(caught.value)


def test_calls_that_the_contract_allows_are_made(rom: Rom, gb: Rom) -> None:
    assert rom.call("add", a=127, x=9, mem={"table": b"\0\1\2\3"}).a == 136
    assert gb.call("add_l", a=127, hl=0xC009, mem={"table": b"\0\1\2\3"}).a == 136


def test_a_call_that_breaks_a_requirement_is_not_made(rom: Rom) -> None:
    zero = {"table": bytes(4)}
    text = _refused(rom, "add", a=128, x=0, mem=zero)
    assert "the call violates 'requires:' of 'add': A <= 127, but A is $80" in text
    assert "prog.s:10:13: error:" in text
    assert "given" not in text
    text = _refused(rom, "add", a=1, x=10, mem=zero)
    assert "X <= LAST, but X is $0A" in text
    text = _refused(rom, "add", x=0, mem=zero)
    assert "A <= 127, but A is $A5 (A not given: such places always have the same" in text
    assert text.count("error:") == 1
    assert rom.last_call is None


def test_of_all_the_first_value_that_breaks_it_is_told(rom: Rom) -> None:
    text = _refused(rom, "add", a=1, x=1, mem={"table": b"\0\3\4\5"})
    assert "all j in 0..3: table[j] < 4, but j is 2, table[2] is $04" in text
    assert _refused(rom, "add").count("error:") == 3


def test_pairs_and_constants_of_the_sm83(gb: Rom) -> None:
    zero = {"table": bytes(4)}
    text = _refused(gb, "add_l", a=1, hl=0xC00A, mem=zero)
    assert "HL in $C000..$C000 + LAST, but HL is $C00A" in text
    assert "prog.asm:8:23: error:" in text
    assert "(L not given:" in _refused(gb, "add_l", a=1, h=0xC0, mem=zero)


def test_without_checks_nothing_is_required(rom: Rom) -> None:
    assert rom.call("add", a=200, x=100, check=False).a == 44


def test_decimal_mode_must_be_an_input(rom: Rom) -> None:
    text = _refused(rom, "add", a=1, x=1, flags={"d": 1}, mem={"table": bytes(4)})
    assert "violates 'requires:' of 'add': D is 0 where 'in:' does not list it, but D is 1" in text
    assert rom.call("decimal", a=5, flags={"d": 1}).a == 0x10


def test_what_does_not_hold_after_the_return_is_a_broken_promise(tmp_path: Path) -> None:
    rom = _rom(tmp_path / "prog.s", WRONG, "6502")
    with pytest.raises(ContractViolation) as caught:
        rom.call("add", a=3, x=4, mem={"table": bytes(4)})
    (breach,) = caught.value.breaches
    assert breach.sentence == (
        "after the return A == old A + X, but A is $08, old A is $03, X is $04"
    )
    assert str(breach.span).endswith("prog.s:12:13")


def test_ensures_of_the_sm83(tmp_path: Path) -> None:
    rom = _rom(tmp_path / "prog.asm", RGBDS.replace("add a, l", "adc a, l"), "sm83")
    with pytest.raises(ContractViolation, match=r"A is \$04, old A is \$03, L is \$00"):
        rom.call("add_l", a=3, hl=0xC000, flags={"c": 1}, mem={"table": bytes(4)})


@pytest.mark.parametrize("cpu", ["6502", "sm83"])
def test_a_caller_that_breaks_a_requirement_is_told_from_the_routine(
    cpu: str, rom: Rom, gb: Rom
) -> None:
    program = rom if cpu == "6502" else gb
    arguments = {"a": 200, "x": 1} if cpu == "6502" else {"a": 200, "hl": 0xC001}
    memory = {"table": bytes(4)}
    program.call("caller", mem=memory, **arguments)  # type: ignore[arg-type]
    with pytest.raises(ContractViolation) as caught:
        program.call("caller", check="deep", mem=memory, **arguments)  # type: ignore[arg-type]
    (breach,) = caught.value.breaches
    assert breach.sentence == ("the caller violates requires: A <= 127, but A is $C8")
    assert "(caller)" in breach.where
    assert f"{breach.contract.name} (called at $" in caught.value.summary


def test_inner_promises_are_held_to_as_well(tmp_path: Path) -> None:
    rom = _rom(tmp_path / "prog.s", WRONG, "6502")
    with pytest.raises(ContractViolation, match=r"after the return A == old A \+ X"):
        rom.call("caller", a=3, x=4, check="deep", mem={"table": bytes(4)})


def test_a_malformed_condition_fails_the_call(tmp_path: Path) -> None:
    rom = _rom(tmp_path / "prog.s", CA65.replace("X <= LAST", "X <= LOST"), "6502")
    with pytest.raises(RomproofError, match="no symbol 'LOST' in the image; did you mean 'LAST'"):
        rom.call("add", a=1, x=1)
    assert rom.call("add", a=1, x=1, check=False).a == 2
