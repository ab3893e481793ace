"""Test ROMs for the Game Boy: Shay Green's (blargg's), mooneye-test-suite, gbmicrotest,
age-test-roms and SameSuite. A ROM is one case, and runs on each model that it is for."""

from __future__ import annotations

from collections.abc import Callable

from romproof.conformance.model import (
    PASSED,
    SuiteFile,
    SuiteOutcome,
    count_executed,
    fail,
    set_apart,
)
from romproof.engine.protocol import EngineFault
from romproof.machine.gameboy.limits import limit, models_of
from romproof.machine.gameboy.machine import FILL, GameBoy
from romproof.machine.gameboy.verdict import (
    GameBoyVerdict,
    run_age,
    run_blargg,
    run_microtest,
    run_mooneye,
)
from romproof.support.reading import read_input

_MAX_CYCLES = 80_000_000
"""M-cycles after which a test has failed; the longest takes about 58 million."""
_MAX_OF_MICRO = 600_000
"""The same for gbmicrotest, whose longest takes 400 thousand."""


def run_blargg_rom(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A ROM of Shay Green's; it is one case."""
    return _run(file, engine, run_blargg)


def run_mooneye_rom(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A ROM of mooneye-test-suite; it is one case."""
    return _run(file, engine, run_mooneye)


def run_micro_rom(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A ROM of gbmicrotest; it is one case."""
    return _run(file, engine, run_microtest, most=_MAX_OF_MICRO)


def run_age_rom(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """A ROM of age-test-roms or of SameSuite; it is one case. They take it that no sprite is in OAM
    at first."""
    return _run(file, engine, run_age, fill=0)


def _run(
    file: SuiteFile,
    engine: str,
    judge: Callable[[GameBoy, int], GameBoyVerdict | None],
    most: int = _MAX_CYCLES,
    fill: int = FILL,
) -> SuiteOutcome:
    why_not = limit(file.name)
    if why_not is not None:
        return set_apart(f"not run on this machine: {why_not}")
    rom, executed = read_input(file.path), SuiteOutcome()
    for model in models_of(file.name):
        machine = GameBoy(rom, engine, fill, model)
        try:
            verdict = judge(machine, most)
        except EngineFault as fault:
            return executed + fail(file.name, f"{model.value}: {fault}")
        executed += count_executed(machine.engine)
        if verdict is None or not verdict.passed:
            return executed + fail(file.name, f"{model.value}: {_what_is_wrong(verdict, most)}")
    return executed + PASSED


def _what_is_wrong(verdict: GameBoyVerdict | None, most: int) -> str:
    if verdict is None:
        return f"no verdict after {most:,} M-cycles"
    printed = "".join(c if c.isprintable() else " " for c in verdict.text)
    return " ".join(printed.split()) or "the test reports a failure"
