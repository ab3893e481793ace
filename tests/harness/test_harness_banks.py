"""Routines and data in banks: only those of the loaded one can be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.program.image import Image
from romproof.projects import Manifest, build

LAYOUT = """
MEMORY {
  B0: start = $8000, size = $100, type = ro, file = %O, fill = yes;
  B1: start = $8000, size = $100, type = ro, file = %O, fill = yes;
}
SEGMENTS { LOW: load = B0, type = ro; HIGH: load = B1, type = ro; }
"""
SOURCE = """
.export first, second
.segment "LOW"
first: lda #0
  rts
.segment "HIGH"
second: lda #1
  rts
"""


@pytest.fixture
def image(tmp_path: Path) -> Image:
    (tmp_path / "main.s").write_text(SOURCE)
    (tmp_path / "banks.cfg").write_text(LAYOUT)
    manifest = Manifest("banks", (tmp_path / "main.s",), config=tmp_path / "banks.cfg")
    return build(manifest).image


def test_the_loaded_bank_can_be_called(image: Image) -> None:
    assert Rom(image, banks=["B0"]).call("first").a == 0
    assert Rom(image, banks=["B1"]).call("second").a == 1


def test_another_bank_is_not_mistaken_for_the_loaded_one(image: Image) -> None:
    machine = Rom(image, banks=["B0"]).machine()
    wanted = "'second' is in area 'B1', which is not loaded"
    with pytest.raises(BadValue, match=wanted):
        machine.call("second")
    with pytest.raises(BadValue, match=wanted):
        machine.run_from("second", until="second")
    with pytest.raises(BadValue, match=wanted):
        machine.read("second", 1)
    with pytest.raises(BadValue, match=wanted):
        machine.write("second", 1)
