"""A process that shuffles once and ends: ``python first_run.py ENGINE MEMORY RESET FINISHED``.

MEMORY is a file with the address space, RESET and FINISHED are addresses in hex. With the
engine ``recompiled`` code is translated at once, which it otherwise is for long jobs only.
"""

from __future__ import annotations

import sys
from pathlib import Path

from romproof.engine.engines import make_engine
from romproof.engine.protocol import Engine


def engine_named(name: str) -> Engine:
    """The engine."""
    if name != "recompiled":
        return make_engine(name)
    from romproof.engine.recompiled.engine import RecompiledEngine

    return RecompiledEngine(warm_up=0)


if __name__ == "__main__":
    name, memory, reset, finished = sys.argv[1:]
    engine = engine_named(name)
    engine.memory[:] = Path(memory).read_bytes()
    engine.registers.pc = int(reset, 16)
    engine.run((int(finished, 16),), 1 << 60)
    assert name != "recompiled" or getattr(engine, "translations", 0) > 0
