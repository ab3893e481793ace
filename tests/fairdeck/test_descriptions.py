"""The page about the descriptions names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = ("pytools/fairdeck", "asm/6502", "asm/sm83", "tests/fairdeck")


def test_every_file_on_the_page_is_there() -> None:
    text = (ROOT / "docs" / "descriptions.md").read_text("utf-8")
    named = set(re.findall(r"`([\w/.-]+\.(?:py|s))`", text))
    assert len(named) > 40
    missing = {name for name in named if not any((ROOT / p / name).exists() for p in PLACES)}
    assert missing == set()
    on_both = {name for name in named if name.endswith(".s")}
    assert {
        name for name in on_both if not (ROOT / "asm/sm83" / f"{name[:-2]}.asm").exists()
    } == set()
