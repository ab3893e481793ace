"""Thousands of random programs on translated code, with interrupts, in step with ``plain``:

    PYTHONPATH=tests/engine python tests/fuzz/fuzz_lockstep.py gameboy FIRST COUNT [ENGINE]

runs COUNT programs, 576 in a cartridge (96 routines, each begun six times), from FIRST on;
``nes`` goes through the mappers. It prints a line for each cartridge and what was executed; the
exit code is 1 when the engines differed in a program, which is named with its cartridge. Code is
not optimised, which would take minutes for a cartridge, unless `optimised` follows ENGINE.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from many_lockstep import Counted, in_step, kind_of

from romproof.engine.llvm import compile as compiler

_EACH = 576


def main(kind: str, first: int, count: int, engine: str = "recompiled", optimised: str = "") -> int:
    """Run the programs; the exit code."""
    totals: dict[str, Counted] = defaultdict(Counted)
    differ = 0
    compiler.optimised = bool(optimised)
    for seed in range(first, first + -(-count // _EACH)):
        try:
            totals[kind_of(kind, seed)] += in_step(kind, seed, engine=engine)
        except AssertionError as error:
            differ += 1
            print("DIFFERS", error, flush=True)
        print(seed, _line(totals[kind_of(kind, seed)]), flush=True)
    for name, counted in sorted(totals.items()):
        print(f"{name} on {engine}: {_line(counted)}")
    print(f"{differ} cartridges in which engines differ")
    return int(differ > 0)


def _line(counted: Counted) -> str:
    return (
        f"{counted.programs} programs, {counted.instructions} instructions, {counted.share:.1%} of "
        f"them translated, {counted.interrupts} interrupts served, {counted.faults} faults"
    )


if __name__ == "__main__":
    kind, first, count, *engine = sys.argv[1:]
    sys.exit(main(kind, int(first), int(count), *engine))
