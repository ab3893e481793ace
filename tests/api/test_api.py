"""The exported functions, on a small project as a user has it, for both CPUs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import romproof

SOURCE_6502 = """\
        .segment "ZEROPAGE"
seed:   .res 2
        .exportzp seed
cells:  .res 8
        .exportzp cells
        .segment "CODE"
        .export double, swap, spin
;; double - twice a number.
; in:       A
; requires: A <= 127
; out:      A
; ensures:  A == 2 * old(A)
; clobbers: N Z C
; cycles:   8
.proc double
        asl a
        rts
.endproc
;; swap - exchange two cells.
; in:       X Y cells[8]
; requires: X <= 7, Y <= 7
; out:      cells[8]
; clobbers: A N Z
; stack:    1
.proc swap
        lda cells,x
        pha
        lda a:cells,y
        sta cells,x
        pla
        sta a:cells,y
        rts
.endproc
;; spin - never ends when the seed is odd.
; in:       zp seed[2]
; out:      A
; clobbers: N Z
.proc spin
@again: lda seed
        and #1
        bne @again
        lda seed
        rts
.endproc
"""
SOURCE_SM83 = """\
SECTION "Variables", HRAM
seed:: ds 2
SECTION "Main", ROM0[$0150]
;; double - twice a number.
; in:       A
; requires: A <= 127
; out:      A
; ensures:  A == 2 * old(A)
; clobbers: F
double::
        add a, a
        ret
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "main.s").write_text(SOURCE_6502, "utf-8")
    (folder / "main.asm").write_text(SOURCE_SM83, "utf-8")
    (folder / "pyproject.toml").write_text(
        """
        [tool.romproof]
        sources = ["main.s"]
        [tool.romproof.roms.gb]
        cpu = "sm83"
        sources = ["main.asm"]
        """,
        "utf-8",
    )
    return folder


def test_build_and_load_find_a_program_by_its_folder(project: Path) -> None:
    built = romproof.build(project)
    assert isinstance(built, romproof.Built)
    assert built.files == ()
    assert not (project / "build").exists()
    assert romproof.load(project).call("double", a=21).a == 42
    assert romproof.load(str(project / "pyproject.toml"), "gb").call("double", a=21).a == 42
    written = romproof.build(project, folder=project / "out").files
    assert written
    assert all(path.is_file() for path in written)


def test_what_is_no_project_is_said(tmp_path: Path) -> None:
    with pytest.raises(romproof.RomproofError, match=r"\[tool.romproof\]"):
        romproof.build(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["a.s"]\n', "utf-8")
    (tmp_path / "a.s").write_text(" lda #256\n nonsense\n", "utf-8")
    with pytest.raises(romproof.BuildFailed) as failed:
        romproof.load(tmp_path)
    assert len(failed.value.diagnostics) == 2


def test_prove_and_bounds_answer_for_named_routines(project: Path) -> None:
    rom = romproof.load(project, engine="plain")
    (proof,) = romproof.prove(rom, "double")
    assert proof.routine == "double"
    assert proof.verdict is romproof.Verdict.PROVED
    (row,) = romproof.bounds(rom, "double")
    assert (row.bounds.best, row.bounds.worst) == (8, 8)
    assert {row.name for row in romproof.bounds(rom)} == {"double", "swap", "spin"}


def test_a_prover_proves_pieces_against_models(project: Path) -> None:
    prover = romproof.Prover(romproof.load(project, engine="plain"))
    text = """
        ;; piece - the doubling alone.
        ; in:       A
        ; out:      A
        ; clobbers: N Z C
        """
    right = prover.piece(text, "double", model=lambda a: a * 2 & 0xFF, takes={"a": "a"}, gives="a")
    assert right.verdict is romproof.Verdict.PROVED
    wrong = prover.piece(text, "double", model=lambda a: a * 2, takes={"a": "a"}, gives="a")
    assert wrong.verdict is romproof.Verdict.REFUTED
    joined = romproof.Proof.join("both", right, wrong)
    assert joined.verdict is romproof.Verdict.REFUTED
    assert joined.runs == right.runs + wrong.runs


def test_a_prover_follows_what_is_exchanged(project: Path) -> None:
    prover = romproof.Prover(romproof.load(project, engine="plain"))
    assert prover.permutes("cells").verdict is romproof.Verdict.UNKNOWN  # nothing was proved yet
    assert prover.routine("swap").verdict is romproof.Verdict.PROVED
    assert prover.permutes("cells").verdict is romproof.Verdict.PROVED
    cells = prover.image.address("cells")

    def of_both(exchange: romproof.Exchange) -> Any:
        x, y = exchange.before["x"], exchange.before["y"]
        (one, other) = exchange.places[0]
        return ((one == cells + x) & (other == cells + y)) | (
            (one == cells + y) & (other == cells + x)
        )

    right = prover.exchanges("cells", "the two cells are exchanged", of_both)
    assert right.verdict is romproof.Verdict.PROVED
    wrong = prover.exchanges("cells", "X is below 7", lambda exchange: exchange.before["x"] < 7)
    assert wrong.verdict is romproof.Verdict.REFUTED
    assert wrong.example is not None
    assert wrong.example.registers["x"] == 7


def test_a_prover_out_of_time_says_so(project: Path) -> None:
    rom = romproof.load(project, engine="plain")
    prover = romproof.Prover(rom, romproof.ProofOptions(timeout=0.0))
    proof = prover.routine("swap")
    assert proof.verdict is romproof.Verdict.UNKNOWN
    assert any("time limit" in finding.detail for finding in proof.findings)


def test_call_many_is_as_many_calls(project: Path) -> None:
    rom = romproof.load(project)
    rows = np.random.default_rng(1).integers(0, 256, (500, 8), dtype=np.uint8)
    done = rom.call_many("swap", {"cells": rows}, ["cells", ("seed", 1)], mem={"seed": 7}, x=1, y=6)
    for row, after in zip(rows[:20], done.memory["cells"], strict=False):
        machine = rom.machine()
        machine.call("swap", mem={"cells": bytes(row)}, x=1, y=6)
        assert machine.read("cells") == bytes(after)
    assert (done.memory["cells"][:, 6] == rows[:, 1]).all()
    assert (done.memory["seed"] == 7).all()
    assert len(done.cycles) == 500
    assert done.engine in romproof.engines()
    alone = rom.call_many("swap", {"cells": rows}, ["cells"], workers=1, x=1, y=6)
    assert (alone.memory["cells"] == done.memory["cells"]).all()


def test_call_many_tells_of_a_call_without_an_end(project: Path) -> None:
    rom = romproof.load(project)
    seeds = np.array([[2, 0], [4, 0], [5, 0]], np.uint8)
    with pytest.raises(romproof.RomproofError, match="call 2 of 'spin' did not return"):
        rom.call_many("spin", {"seed": seeds}, limit=1000)
    with pytest.raises(romproof.RomproofError, match="requires"):
        rom.call_many("swap", {"cells": np.zeros((2, 8), np.uint8)}, x=9, y=0)
    with pytest.raises(romproof.RomproofError, match="sead"):
        rom.call_many("spin", {"sead": seeds})


def test_a_profile_as_text_and_as_json(project: Path) -> None:
    found = romproof.profile(romproof.build(project), "double", runs=3, a=5)
    assert found.violation is None
    assert "double" in found.text(80, False)
    assert '"runs": 3' in found.json() or '"runs":3' in found.json()
    broken = romproof.profile(romproof.build(project), "swap", mem={"cells": bytes(8)}, x=0, y=1)
    assert broken.violation is None


def test_disassembly_is_source_again(project: Path, tmp_path: Path) -> None:
    image = romproof.build(project).image
    start = image.address("double")
    source = romproof.disassemble(bytes.fromhex("0a60"), start, labels={start: "double"})
    (tmp_path / "again.s").write_text(source, "utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["again.s"]\n', "utf-8")
    blocks = romproof.build(tmp_path).image.blocks
    assert b"".join(block.data for block in blocks).startswith(bytes.fromhex("0a60"))
    assert "ret" in romproof.disassemble(bytes.fromhex("87c9"), 0x150, cpu="sm83")
    with pytest.raises(ValueError, match="65816"):
        romproof.disassemble(b"", cpu="65816")
