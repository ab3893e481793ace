"""Test ROMs for the Game Boy: Shay Green's (blargg's) and mooneye-test-suite."""

from __future__ import annotations

from collections.abc import Callable

from romproof.conformance.model import PASSED, Outcome, SuiteFile, apart, executed, failed
from romproof.engine.protocol import EngineFault
from romproof.machine.gameboy.limits import limit
from romproof.machine.gameboy.machine import GameBoy
from romproof.machine.gameboy.verdict import Verdict, run_blargg, run_mooneye
from romproof.text.reading import read_input

_MOST_CYCLES = 80_000_000
"""M-cycles after which a test has failed; the longest takes about 58 million."""


def run_blargg_rom(file: SuiteFile, engine: str, sample: int = 1) -> Outcome:
    """A ROM of Shay Green's; it is one case."""
    return _run(file, engine, run_blargg)


def run_mooneye_rom(file: SuiteFile, engine: str, sample: int = 1) -> Outcome:
    """A ROM of mooneye-test-suite; it is one case."""
    return _run(file, engine, run_mooneye)


def _run(file: SuiteFile, engine: str, judge: Callable[[GameBoy, int], Verdict | None]) -> Outcome:
    why_not = limit(file.name)
    if why_not is not None:
        return apart(f"not for this machine: {why_not}")
    machine = GameBoy(read_input(file.path), engine)
    try:
        verdict = judge(machine, _MOST_CYCLES)
    except EngineFault as fault:
        return failed(file.name, str(fault)) + executed(machine.engine)
    return _outcome(file, verdict) + executed(machine.engine)


def _outcome(file: SuiteFile, verdict: Verdict | None) -> Outcome:
    if verdict is None:
        return failed(file.name, f"no verdict after {_MOST_CYCLES:,} M-cycles")
    if verdict.passed:
        return PASSED
    printed = "".join(c if c.isprintable() else " " for c in verdict.text)
    return failed(file.name, " ".join(printed.split()) or "the test reports a failure")
