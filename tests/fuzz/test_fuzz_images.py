"""A few of the damaged images and symbol files; ``fuzz_images.py`` tries thousands."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from damaged_images import case, finding, seeds

COUNT = 300


def test_no_image_is_too_bad(tmp_path: Path) -> None:
    all_seeds = seeds(tmp_path)
    for seed in all_seeds:
        assert finding(seed, tmp_path) is None
    findings = {n: finding(case(all_seeds, n), tmp_path) for n in range(COUNT)}
    assert {n: wrong for n, wrong in findings.items() if wrong is not None} == {}
