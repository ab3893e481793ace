"""The suite of test ROMs for the NES, from ROMs made here."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.conformance.run import all_passed, pieces_in, run_pieces

SIGN = "a9 de 8d 01 60 a9 b0 8d 02 60 a9 61 8d 03 60 a9 00 8d 04 60 "


def rom(status: int) -> bytes:
    """NROM whose program puts a status at $6000 and stands still."""
    code = bytes.fromhex(SIGN + f"a9 {status:02x} 8d 00 60 b8 50 fe")
    program = bytearray(0x8000)
    program[: len(code)] = code
    program[0x7FFA:] = bytes.fromhex("00 80 00 80 00 80")
    return b"NES\x1a\x02\x01" + bytes(10) + bytes(program) + bytes(0x2000)


@pytest.mark.parametrize(("status", "passed"), [(0, True), (2, False)])
def test_a_rom_of_a_known_set_is_run(status: int, passed: bool, tmp_path: Path) -> None:
    folder = tmp_path / "nes-test-roms" / "ppu_vbl_nmi" / "rom_singles"
    folder.mkdir(parents=True)
    (folder / "01-vbl_basics.nes").write_bytes(rom(status))
    (tmp_path / "game.nes").write_bytes(rom(3))  # in no set
    rows = run_pieces(pieces_in(tmp_path, ["nes-roms"]), jobs=1)
    assert all_passed(rows) is passed
    (row,) = rows
    assert (row.outcome.passed, row.outcome.failed) == (passed, not passed)


def test_what_is_not_for_this_machine_is_apart_with_its_reason(tmp_path: Path) -> None:
    folder = tmp_path / "sprdma_and_dmc_dma"
    folder.mkdir()
    (folder / "sprdma_and_dmc_dma.nes").write_bytes(rom(2))
    (row,) = run_pieces(pieces_in(tmp_path, ["nes-roms"]), jobs=1)
    (reason,) = row.outcome.apart
    assert "sample DMA" in reason
    assert row.outcome.cases == 0
