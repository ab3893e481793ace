"""Every command in every form of output, with a program for every CPU: none may meet a CPU that it
did not think of."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from romproof.cli.group import romproof
from romproof.isa.abi import abi_of
from romproof.isa.cpus import CPUS

MOS = """\
.export main, bump
.segment "ZEROPAGE"
count: .res 2
.segment "BSS"
table: .res 8
.code
;; main – adds 3, 2, 1 and 0.
; in:       count[2]
; out:      count[2]
; clobbers: A X N V Z C table[8]
; stack:    2
.proc main
  ldx #3
loop:
  txa
  jsr bump
  dex
  bpl loop
  rts
.endproc
;; bump – adds A to count.
; in:       A X count[2]
; out:      count[2]
; clobbers: A N V Z C table[8]
; requires: X < 8
; stack:    0
.proc bump
  sta table,x
  clc
  adc count
  sta count
  lda #0
  adc count+1
  sta count+1
  rts
.endproc
"""
SM83 = """\
SECTION "variables", WRAM0
count:: ds 2
SECTION "code", ROM0[$150]
;; main – adds 3, 2 and 1.
; in:       count[1]
; out:      count[1]
; clobbers: A B F
; stack:    4
main::
  ld b, 3
.loop
  ld a, b
  call bump
  dec b
  jr nz, .loop
  ret
;; bump – adds A to count.
; in:       A count[1]
; out:      count[1]
; clobbers: A F
; stack:    2
bump::
  push hl
  ld hl, count
  add a, [hl]
  ld [hl], a
  pop hl
  ret
"""
BUILT = ("6502", "6502X", "2a03", "65SC02", "65C02", "R65C02", "sm83")
"""What manifests call the CPUs."""
COMMANDS = (
    "run p --call main --mem count=0102 --trace --engine plain",
    "run p --call main --mem count=0102 --trace --json --engine plain",
    "run p --call main --mem count=0102 --trace=t.log --engine plain",
    "run p --call main --mem count=0102 --trace=t.json --json --engine plain",
    "run p --call main --mem count=0102 --break bump --watch count --read count --engine plain",
    "run p --call main --mem count=0102 --break bump --watch count --json --engine plain",
    "run p --call main --mem count=0102 --trace --until bump --engine plain",
    "report p --call main --mem count=0102 --repeat 3 --engine plain",
    "report p --call main --mem count=0102 --json --engine plain",
    "report p --call main --mem count=0102 --callgrind a --speedscope b --collapsed c --html d"
    " --engine plain",
    "bounds p",
    "bounds p --json",
    "build",
    "build --json",
)
PROVING = (
    "prove p",
    "prove p --json",
    "infer p",
    "infer p --json",
    "same p:main p:main",
    "same p:main p:main --json",
    "compare p p --calls 5 --engine plain",
    "compare p p --calls 5 --json --engine plain",
)
_DISASSEMBLED_AS = {"6502X": "6502", "2a03": "6502", "6510": "6502", "R65C02": "65C02"}


def _invoke(line: str) -> Result:
    return CliRunner().invoke(romproof, shlex.split(line), prog_name="romproof")


def _carried_out(line: str) -> Result:
    """A command that worked. Whatever it raised but an exit code is a fault."""
    done = _invoke(line)
    told = f"{line}: {done.exception!r}\n{done.output[-1000:]}"
    assert done.exception is None or isinstance(done.exception, SystemExit), told
    assert done.exit_code in ((0, 1) if line.startswith("infer") else (0,)), told
    if "--json" in line and "=" not in line.split("--json")[0].partition("--trace")[2][:1]:
        assert isinstance(json.loads(done.stdout), (dict, list)), told
    else:
        assert done.output.strip() or "--trace=" in line or line == "build", told
    return done


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpu: str) -> Path:
    (tmp_path / "p.asm").write_text(SM83 if cpu == "sm83" else MOS, "utf-8")
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.romproof]\nname = "p"\ncpu = "{cpu}"\nsources = ["p.asm"]\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_cpu_has_a_program() -> None:
    """Those of engines, and of manifests; ``perfect6502`` is an engine's alone."""
    assert {abi_of(cpu).cpu for cpu in (*BUILT, "perfect6502")} >= set(CPUS) - {"perfect6502"}


@pytest.mark.parametrize("cpu", BUILT)
def test_each_form_of_output(project: Path, cpu: str) -> None:
    for line in COMMANDS:
        _carried_out(line)
    steps = (project / "t.log").read_text().splitlines()
    objects = [json.loads(line) for line in (project / "t.json").read_text().splitlines()]
    assert len(steps) == len(objects) > 20
    word = "LD" if cpu == "sm83" else "LDX #$03"
    assert objects[0]["instruction"].upper().startswith(word)
    assert ("ld b" if cpu == "sm83" else "LDX #$03") in steps[0]


@pytest.mark.quick_cases("6502", "2a03", "sm83")
@pytest.mark.parametrize("cpu", BUILT)
def test_proofs_and_comparisons(project: Path, cpu: str) -> None:
    for line in PROVING:
        _carried_out(line)


@pytest.mark.parametrize("cpu", ["6502", "6502X", "2a03", "6510", "65SC02", "65C02", "R65C02"])
def test_an_image_of_another_build_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpu: str
) -> None:
    monkeypatch.chdir(tmp_path)
    image = bytes.fromhex("a203 8a 200a10 ca 10f9 60 6500 8500 60")
    (tmp_path / "p.bin").write_bytes(image)
    (tmp_path / "p.lbl").write_text("al 001000 .main\nal 00100A .bump\n")
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.romproof]\nname = "p"\ncpu = "{cpu}"\nimage = "p.bin"\nsymbols = ["p.lbl"]\n'
        "load_address = 0x1000\n"
    )
    for line in (*COMMANDS[:2], "report p --call main --engine plain", "bounds p"):
        line = line.replace(" --mem count=0102", "")
        _carried_out(line)
    _carried_out("disasm p.bin --start 0x1000 --cpu " + _DISASSEMBLED_AS.get(cpu, cpu))
