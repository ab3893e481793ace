"""Damaged images and symbol files: python tests/fuzz/fuzz_images.py [COUNT] [SEED]."""

from __future__ import annotations

import faulthandler
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "common")]

from damaged_images import case, finding, seeds  # noqa: E402

COUNT = 5_000
MAX_SECONDS = 120
"""After this the script ends with a traceback: a case hangs."""


def main() -> int:
    """Try the cases; tell of each that ends otherwise than loaded, or with one clear error."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    began, bad = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        all_seeds = seeds(folder)
        work = folder / "case"
        work.mkdir()
        for number in range(count):
            faulthandler.dump_traceback_later(MAX_SECONDS, exit=True)
            wrong = finding(case(all_seeds, number, seed), work)
            if wrong is not None:
                bad += 1
                print(f"case {number} of seed {seed}: {wrong}")
    faulthandler.cancel_dump_traceback_later()
    print(f"{count} damaged programs, {bad} findings, {time.monotonic() - began:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
