"""How much the benchmarks do: all that times need, or hardly anything (bench/run.py --small)."""

from __future__ import annotations

import sys

SMALL = "--small" in sys.argv[1:]
"""Whether everything is to be done once, with little, to see that it can be done."""


def of(full: int, least: int = 1) -> int:
    """``full``, or a hundredth of it, ``least`` at the least."""
    return max(least, full // 100) if SMALL else full
