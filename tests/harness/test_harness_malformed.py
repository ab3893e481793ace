"""A mistake in one contract is a failure of the calls of its routine, and of no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_programs import rom_6502, rom_sm83

from romproof.harness.rom import Rom
from romproof.text.diagnostic import BuildFailed

CODE_6502 = """\
;; predicate small(x): x <
;; predicate fine(x): x < 200
.segment "CODE"
;; good – one more
; in: A
; requires: fine(A)
; out: A
; clobbers: N Z C V
.export good
good:   clc
        adc #1
        rts
;; wrong – a field that is not there
; in: A
; clobers: A
.export wrong
wrong:  jsr good
        rts
;; uses – a predicate that cannot be read
; in: A
; requires: small(A)
; clobbers: N Z C V
.export uses
uses:   rts
;; takes – a list of one with a mistake
; clobbers: as wrongs
.export takes
takes:  rts
;; wrongs – a symbol that is not there
; clobbers: A nowhere
.export wrongs
wrongs: rts
;; caller – calls one that is good and one that is not
; in: A
; clobbers: A N Z C V
.export caller
caller: jsr good
        cmp #9
        bcc :+
        jsr wrong
:       rts
"""
CODE_SM83 = """\
;; good – one more
; in: A
; out: A
; clobbers: F
good::  inc a
        ret
;; wrong – a register of another CPU
; clobbers: A Y
wrong:: call good
        ret
"""


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    return rom_6502(tmp_path, CODE_6502)


@pytest.mark.parametrize(
    ("routine", "texts"),
    [
        ("wrong", ["prog.s:", "contracts have no field 'clobers'", "^"]),
        ("uses", ["small(x): x <", "^"]),
        ("takes", ["'nowhere'", "^"]),
        ("wrongs", ["'nowhere'", "^"]),
    ],
)
def test_the_routine_cannot_be_called(rom: Rom, routine: str, texts: list[str]) -> None:
    with pytest.raises(BuildFailed) as caught:
        rom.call(routine)
    for text in texts:
        assert text in str(caught.value)
    assert rom.call("good", a=4).a == 5
    rom.call(routine, check=False)


def test_only_its_own_mistakes_are_shown(rom: Rom) -> None:
    with pytest.raises(BuildFailed) as caught:
        rom.call("wrong")
    assert len(caught.value.diagnostics) == 1
    with pytest.raises(BuildFailed, match="small") as caught:
        rom.call("uses")
    assert "clobers" not in str(caught.value)


def test_a_caller_is_affected_by_deep_checks_when_it_gets_there(rom: Rom) -> None:
    assert rom.call("caller", a=100).a == 102
    assert rom.call("caller", a=1, check="deep").a == 2
    with pytest.raises(BuildFailed, match="clobers"):
        rom.call("caller", a=100, check="deep")
    assert rom.call("caller", a=1, check="deep").a == 2


def test_the_list_of_all_contracts_reports_every_mistake(rom: Rom) -> None:
    with pytest.raises(BuildFailed) as caught:
        _ = rom.contracts
    text = str(caught.value)
    assert all(what in text for what in ("clobers", "small(x)", "'nowhere'"))
    with pytest.raises(BuildFailed, match="clobers"):
        rom.contract_of("wrong")
    assert rom.contract_of("good") is not None
    assert rom.contract_of("nobody") is None


def test_on_the_other_cpu(tmp_path: Path) -> None:
    rom = rom_sm83(tmp_path, CODE_SM83)
    assert rom.call("good", a=1).a == 2
    with pytest.raises(BuildFailed, match=r"prog\.asm:"):
        rom.call("wrong")


def test_two_meanings_of_a_predicate_are_a_mistake_of_those_that_use_it(tmp_path: Path) -> None:
    text = CODE_6502.replace("x <\n", "x < 3\n;; predicate small(x): x < 4\n")
    rom = rom_6502(tmp_path, text)
    with pytest.raises(BuildFailed, match="defined twice"):
        rom.call("uses", a=1)
    assert rom.call("good", a=1).a == 2
