"""Routines say which bank they are in: what is done to one is not done to others at its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from bank_puzzles import game_boy, nes, wrong
from slow import slow_but

import romproof
from romproof.formats.errors import BadImage

SEEDS = slow_but(range(4), range(40))


@pytest.mark.parametrize("seed", SEEDS)
def test_banks_of_a_game_boy(seed: int, tmp_path: Path) -> None:
    assert list(wrong(game_boy(seed), tmp_path)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_banks_of_an_nes(seed: int, tmp_path: Path) -> None:
    assert list(wrong(nes(seed), tmp_path)) == []


def _nes(folder: Path, areas: str, loads: str, code: str) -> None:
    """A cartridge for UxROM with 48 KiB of PRG, of which the last 16 KiB are fixed."""
    config = (
        "MEMORY {\n HEADER: start=0, size=$10, file=%O, fill=yes;\n"
        f"{areas} LAST: start=$C000, size=$4000, file=%O, fill=yes;\n}}\n"
        "SEGMENTS { HEADER: load=HEADER, type=ro;\n"
        f"{loads} CODE: load=LAST, type=ro; VECTORS: load=LAST, type=ro, start=$FFFA; }}\n"
    )
    (folder / "game.cfg").write_text(config)
    source = (
        f'.segment "HEADER"\n .byte "NES", $1A, 3, 0, $20, 0\n{code}\n'
        '.code\nreset: jmp reset\n.segment "VECTORS"\n .word reset, reset, reset\n'
    )
    (folder / "game.s").write_text(source)
    table = '[tool.romproof]\nmachine = "nes"\nsources = ["game.s"]\nconfig = "game.cfg"\n'
    (folder / "pyproject.toml").write_text(table + 'output = "game.nes"\n')


BANK = "start=$8000, size=$4000, file=%O, fill=yes;\n"


def test_a_bank_that_is_linked_for_two_addresses(tmp_path: Path) -> None:
    half = "size=$2000, file=%O, fill=yes;\n"
    areas = f"ONE: start=$8000, {half} TWO: start=$8000, {half} THREE: {BANK}"
    code = '.segment "A"\n.export a1\na1: rts\n.segment "B"\n.export b1\nb1: rts'
    _nes(tmp_path, areas, "A: load=ONE, type=ro; B: load=TWO, type=ro;", code)
    with pytest.raises(BadImage, match=r"linked for \$8000 and, in area 'TWO', for \$6000"):
        romproof.load(tmp_path)


def test_several_areas_of_one_bank(tmp_path: Path) -> None:
    half = "size=$2000, file=%O, fill=yes;\n"
    areas = f"ONE: {BANK} TWO: start=$8000, {half} THREE: start=$A000, {half}"
    code = '.segment "A"\n.export a1\na1: lda #1\n rts\n'
    code += '.segment "B"\n.export b1\nb1: lda #2\n rts'
    _nes(tmp_path, areas, "A: load=TWO, type=ro; B: load=THREE, type=ro;", code)
    rom = romproof.load(tmp_path)
    assert (rom.call("a1").a, rom.call("b1").a) == (1, 2)


def test_an_area_of_several_banks_at_the_addresses_of_others(tmp_path: Path) -> None:
    areas = "ONE: start=$8000, size=$8000, file=%O, fill=yes;\n"  # LAST is at $C000, too
    code = '.segment "A"\n .res $5000\n.export a1\na1: rts'
    _nes(tmp_path, areas, "A: load=ONE, type=ro;", code)
    with pytest.raises(BadImage, match="give each bank its own area"):
        romproof.load(tmp_path)
