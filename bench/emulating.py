"""The compiled engines on the tarot shuffle, against other emulators and against C.

All emulators run the same bytes. Slow ones shuffle less often; times are for one shuffle.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import amount
import tarot_loop
from py65.devices.mpu6502 import MPU
from rows import Row, best, missing, without_llvm
from tarot_loop import Outcome

from romproof.engine.engines import make_engine

NAME = "one tarot shuffle"
OURS = ("llvm", "recompiled")
PEERS = {"py65": "py65, step()", "sim65": "sim65", "gcc": "gcc -O3, the same in C"}
PAIRS = (
    ("llvm", "py65"),
    ("llvm", "sim65"),
    ("recompiled", "py65"),
    ("recompiled", "sim65"),
    ("recompiled", "gcc"),
)
SHUFFLES = {
    "llvm": amount.of(60_000),
    "recompiled": amount.of(300_000),
    "py65": amount.of(200),
    "sim65": amount.of(25_000),
    "gcc": amount.of(300_000),
}
"""How often each shuffles: for a quarter of a second or so."""
_ONE_IN = 10_000
"""How far sim65's count of cycles may be off: it leaves out the very last jump, and adds one to
a taken branch whose opcode is one of the last two bytes of a page."""


def shuffles() -> list[Row]:
    """How fast they are once everything is compiled; each result is checked by engine llvm."""
    absent = without_llvm()
    if absent is not None:
        return [Row(NAME, f"{ours}: {absent}", PEERS[peer], None) for ours, peer in PAIRS]
    with tempfile.TemporaryDirectory() as folder:
        works = _works(Path(folder))
        for name, work in works.items():
            _check(name, work())  # the first run compiles, too
        taken = best(*works.values())
    seconds = {n: taken / SHUFFLES[n] for n, taken in zip(works, taken, strict=True)}
    return [
        Row(
            NAME,
            f"engine {ours}",
            PEERS[peer] if peer in seconds else f"{peer}: not installed",
            seconds[ours],
            seconds.get(peer),
        )
        for ours, peer in PAIRS
    ]


def _works(folder: Path) -> dict[str, Callable[[], Outcome]]:
    """What there is to be run, by name."""
    works = {name: _on_engine(name) for name in OURS}
    mpu = MPU(memory=[0] * 0x10000)
    works["py65"] = lambda: tarot_loop.on_py65(mpu, SHUFFLES["py65"])
    if not missing("sim65"):
        path = folder / "tarot_loop"
        path.write_bytes(tarot_loop.program(SHUFFLES["sim65"]))
        works["sim65"] = lambda: tarot_loop.in_sim65(path)
    if not missing("gcc"):
        compiled = tarot_loop.compile_native(folder)
        works["gcc"] = lambda: tarot_loop.in_c(compiled, SHUFFLES["gcc"])
    return works


def _on_engine(name: str) -> Callable[[], Outcome]:
    engine = make_engine(name)
    return lambda: tarot_loop.on_engine(engine, SHUFFLES[name])


def _check(name: str, found: Outcome) -> None:
    wanted = tarot_loop.on_engine(make_engine("llvm"), SHUFFLES[name])
    assert found.deck == wanted.deck, f"{name} shuffles in another way"
    if found.cycles is not None and wanted.cycles is not None:
        near = wanted.cycles // _ONE_IN if name == "sim65" else 0
        off = abs(found.cycles - wanted.cycles)
        assert off <= near, f"{name} counts {found.cycles} cycles, engine llvm {wanted.cycles}"
