"""Where a proof comes to no end, inputs are tried: one may show what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.harness.errors import CallError
from romproof.harness.rom import Rom
from romproof.projects import build, load_manifest
from romproof.prover.replay.confirm import attempt
from romproof.prover.replay.trial import call
from romproof.prover.results import Verdict
from romproof.prover.states.entry import Start, input_bounds, start_of
from romproof.prover.states.program import program_of

SOURCE = """\
        .segment "ZEROPAGE"
n:      .res 1
other:  .res 1
        .exportzp n, other
        .segment "CODE"
;; it – waits.
; in:       A n
; out:      A
; clobbers: {clobbers}
{more}
.export it
.proc it
again:
  clc
  adc n
  bcc again
{code}
  rts
.endproc
"""
CASES = {
    "a register": ("N V Z C", "; requires: n > 0", "  tax", "preserves X"),
    "memory": ("N V Z C", "; requires: n > 0", "  sta other", "(other) changes"),
    "a promise": ("N V Z C", "; requires: n > 0\n; ensures: A != 3", "", "ensures A != 3"),
    "the time": ("N V Z C", "; requires: n > 0\n; cycles: 13..1500", "", "takes 13..1,500 cycles"),
    "the end": ("N V Z C", "; cycles: 13..2100", "", "it has not ended after"),
    "depth": ("N V Z C", "; requires: n > 0\n; stack: 0", "  pha\n  pla", "uses at most 0 bytes"),
}


def rom_in(folder: Path, clobbers: str, more: str, code: str) -> Rom:
    (folder / "demo.s").write_text(SOURCE.format(clobbers=clobbers, more=more, code=code), "utf-8")
    (folder / "manifest.toml").write_text('[rom]\nname = "demo"\nsources = ["demo.s"]\n', "utf-8")
    return Rom(build(load_manifest(folder / "manifest.toml")).image)


def begun(rom: Rom) -> Start:
    program, contract = program_of(rom), rom.contracts["it"]
    return start_of(program, contract, rom.image.address("it"), input_bounds(program, contract))


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_found_and_a_call_shows_it(name: str, tmp_path: Path) -> None:
    clobbers, more, code, detail = CASES[name]
    rom = rom_in(tmp_path, clobbers, more, code)
    contract = rom.contracts["it"]
    found = attempt(begun(rom))
    assert found is not None
    assert (str(found.statement), found.verdict) == ("keeps to its contract", Verdict.REFUTED)
    assert detail in found.detail
    assert found.example is not None
    with pytest.raises(CallError):
        call(rom, contract, found.example, 10_000)


def test_what_is_right_is_left_alone(tmp_path: Path) -> None:
    rom = rom_in(tmp_path, "N V Z C", "; requires: n > 0\n; cycles: 13..", "")
    assert attempt(begun(rom)) is None


def test_what_has_no_end_yet_is_no_fault_where_none_was_promised(tmp_path: Path) -> None:
    rom = rom_in(tmp_path, "N V Z C", "", "")
    assert attempt(begun(rom)) is None


def test_two_inputs_are_told_where_it_takes_two(tmp_path: Path) -> None:
    rom = rom_in(tmp_path, "N V Z C", "; requires: n > 0", "  txa")
    found = attempt(begun(rom))
    assert found is not None
    assert found.example is not None
    assert found.other is not None
    assert found.example.registers["a"] == found.other.registers["a"]
    assert found.example.registers["x"] != found.other.registers["x"]
