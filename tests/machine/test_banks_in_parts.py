"""Banks of several sections, some where another bank has none: in sight as a whole, or not."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from romproof.harness.rom import Rom
from romproof.harness.state.values import BadValue
from romproof.isa.abi import abi_of
from romproof.machine.memory import bank_views
from romproof.program.image import Image
from romproof.projects import build
from romproof.projects.manifest import manifest_from
from romproof.timing.survey import survey

ROUTINE = 0x1000
"""From one place for a section to the next."""


@dataclass(frozen=True)
class Parts:
    """A program; ``banks`` has the routines of each bank, with what they give back."""

    source: str
    banks: dict[int, dict[str, int]]


def drawn(seed: int) -> Parts:
    """Each bank has routines at some of four places; no two places are alike in all banks."""
    draw = random.Random(f"parts {seed}")
    banks: dict[int, dict[str, int]] = {}
    source = ['SECTION "fixed", ROM0[$0150]', "fixed:: ld a, 99", " ret"]
    for bank in draw.sample(range(1, 20), draw.randint(2, 4)):
        banks[bank] = {}
        for place in draw.sample(range(4), draw.randint(1, 3)):
            name, value = f"give_{bank}_{place}", 10 * bank + place
            banks[bank][name] = value
            source += [
                f'SECTION "{name}", ROMX[${0x4000 + ROUTINE * place:X}], BANK[{bank}]',
                f"{name}:: ld a, {value}", *([" nop"] * (bank % 5)), " ret",
            ]  # fmt: skip
    return Parts("\n".join(source) + "\n", banks)


def _image(parts: Parts, folder: Path) -> Image:
    (folder / "game.asm").write_text(parts.source)
    table = {"name": "game", "cpu": "sm83", "sources": ["game.asm"]}
    return build(manifest_from(table, folder, "game", "test")).image


@pytest.mark.parametrize("seed", range(10))
def test_only_the_bank_in_sight_is_called(seed: int, tmp_path: Path) -> None:
    parts = drawn(seed)
    image = _image(parts, tmp_path)
    for bank, routines in parts.banks.items():
        rom = Rom(image, banks=[f"ROMX[{bank}]"])
        assert rom.call("fixed").a == 99
        for name, value in routines.items():
            assert rom.call(name).a == value
        for other in parts.banks.keys() - {bank}:
            for name in parts.banks[other]:
                with pytest.raises(BadValue, match="which is not loaded"):
                    rom.call(name)


@pytest.mark.parametrize("seed", range(10))
def test_each_bank_is_looked_at_once(seed: int, tmp_path: Path) -> None:
    parts = drawn(seed)
    image = _image(parts, tmp_path)
    views = bank_views(image, (), abi_of("sm83").first_areas)
    shown = [area for view in views for area in view]
    assert sorted(shown) == sorted(f"ROMX[{bank}]" for bank in parts.banks)
    for view in views:
        rows = {row.name: row for row in survey("game", image, {}, banks=view).rows}
        for bank, routines in parts.banks.items():
            assert rows.keys().isdisjoint(routines) == (f"ROMX[{bank}]" not in view)
            for name in rows.keys() & routines.keys():
                assert rows[name].bounds.best == rows[name].bounds.worst == 2 + bank % 5 + 4
