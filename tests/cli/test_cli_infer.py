"""``romproof infer``: what it prints, what it writes, and what it leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_programs import Run

SOURCE = """\
.segment "ZEROPAGE"
.exportzp state, cells
state: .res 1
cells: .res 4

.segment "CODE"
.export step, store, claimed

; Somebody explains here what is special.
step:
  lda state
  asl a
  sta state
  rts

;; store – puts A into a cell.
; The cell is chosen by X.
store:
  sta cells,x
  rts

;; claimed – one more.
; in:       A
; out:      A
; clobbers: N Z C
; cycles:   3
claimed:
  clc
  adc #1
  rts
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "small.s").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.romproof]\nsources = ["small.s"]\nname = "small"\n'
    )
    return tmp_path / "small.s"


def test_contracts_are_printed_and_nothing_is_written(small: Path, romproof: Run) -> None:
    done = romproof("infer", "small:step", "small:store")
    assert done.returncode == 0
    assert ";; step – (inferred, tight)" in done.stdout
    assert "; requires:  X in 0..3" in done.stdout
    assert "2 tight, 0 sound but not tight, 0 without (100 % sound)" in done.stdout
    assert small.read_text() == SOURCE


def test_what_is_written_is_proved_and_what_was_there_stays(small: Path, romproof: Run) -> None:
    done = romproof("infer", "--write")
    assert done.returncode == 1  # a contract that somebody wrote is wrong
    assert "claimed: its contract is refuted" in done.stdout
    assert "+; requires:  X in 0..3" in done.stderr
    text = small.read_text()
    assert [line for line in text.splitlines() if line in SOURCE.splitlines()] == (
        SOURCE.splitlines()
    )
    assert ";; store – (inferred" not in text  # its title was there
    below = text.partition("; The cell is chosen by X.\n")[2]
    assert below.startswith("; in:        A X\n")
    assert text.partition("special.\n")[2].startswith(";; step – (inferred, tight)\n")
    proved = romproof("prove", "small:step", "small:store", "--json")
    assert proved.returncode == 0, proved.stdout
    again = romproof("infer", "--write")
    assert "0 contracts written" in again.stderr
    assert small.read_text() == text


def test_line_ends_stay_as_they_are(small: Path, romproof: Run) -> None:
    small.write_bytes(SOURCE.replace("\n", "\r\n").encode())
    romproof("infer", "small:step", "--write")
    data = small.read_bytes()
    assert b"; in:        state[1]\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_file_of_contracts(small: Path, romproof: Run, tmp_path: Path) -> None:
    done = romproof("infer", "small:step", "--to", "more.contracts")
    assert done.returncode == 0
    text = (tmp_path / "more.contracts").read_text()
    assert text.startswith(";; step – (inferred, tight)\n")
    assert small.read_text() == SOURCE
    romproof("infer", "small:step", "small:store", "--to", "more.contracts")
    assert (tmp_path / "more.contracts").read_text().startswith(text)
    assert (tmp_path / "more.contracts").read_text().count(";; step") == 1


def test_json(small: Path, romproof: Run) -> None:
    done = romproof("infer", "small:store", "--json")
    result = json.loads(done.stdout)
    assert result["schema"] == "romproof.infer/1"
    assert result["ok"] is True
    (rom,) = result["roms"]
    assert rom["counts"] == {"tight": 1, "sound": 0, "waits": 0, "none": 0, "written": 0}
    (row,) = rom["routines"]
    assert row["grade"] == "tight"
    assert row["loose"] == []
    assert row["reason"] is None
    assert row["verdict"] == "proved"
    assert row["cycles"] == {"least": 10, "most": 10}
    assert "; requires:  X in 0..3" in row["contract"]


def test_an_unknown_routine_is_a_wrong_argument(small: Path, romproof: Run) -> None:
    done = romproof("infer", "small:sotre")
    assert done.returncode == 2
    assert "did you mean 'store'" in done.stderr or "store" in done.stderr


def test_a_source_that_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """Nothing is put at a line that is another one by now."""
    import romproof
    from romproof.prover.infer.edit import edits_of
    from romproof.prover.infer.infer import Inference

    path = tmp_path / "small.s"
    path.write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text('[tool.romproof]\nsources = ["small.s"]\n')
    rom = romproof.load(tmp_path)
    work = Inference(rom)
    rows = list(work.infer(work.order(["step"])))
    path.write_text("; a new line\n" + SOURCE)
    edits, left = edits_of(rom.image, rows, [Path.cwd(), tmp_path])
    assert not edits
    assert [each.routine for each in left] == ["step"]
    assert "build it again" in str(left[0].why)
