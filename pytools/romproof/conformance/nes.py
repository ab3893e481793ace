"""Test ROMs for the NES: those of nes-test-roms that say themselves how it went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from romproof.conformance.model import (
    PASSED,
    SuiteFile,
    SuiteOutcome,
    count_executed,
    fail,
    set_apart,
)
from romproof.engine.protocol import EngineFault
from romproof.machine.nes.limits import limit
from romproof.machine.nes.machine import Nes
from romproof.machine.nes.verdict import NesVerdict, run_test
from romproof.support.reading import read_input

SETS = (
    "apu_reset", "apu_test", "blargg_apu_2005.07.30", "blargg_nes_cpu_test5",
    "blargg_ppu_tests_2005.09.15b", "branch_timing_tests", "cpu_dummy_reads", "cpu_dummy_writes",
    "cpu_exec_space", "cpu_interrupts_v2", "cpu_reset", "cpu_timing_test6",
    "dmc_dma_during_read4", "instr_misc", "instr_test-v3", "instr_test-v5", "instr_timing",
    "mmc3_irq_tests", "mmc3_test", "mmc3_test_2", "nes_instr_test", "oam_read", "oam_stress",
    "pal_apu_tests", "ppu_open_bus", "ppu_read_buffer", "ppu_vbl_nmi", "sprdma_and_dmc_dma",
    "sprite_hit_tests_2005.10.05", "sprite_overflow_tests", "vbl_nmi_timing",
)  # fmt: skip
"""The folders of its tests that give a verdict in memory or as text."""
_PAL = "pal_apu_tests"
_MAX_CYCLES = 250_000_000
"""Cycles after which a test has failed: 140 seconds."""


def find_nes(files: Sequence[Path]) -> list[SuiteFile]:
    """ROMs in one of the sets; their names begin with it."""
    suite_files = []
    for file in files:
        first = next((at for at, part in enumerate(file.parts[:-1]) if part in SETS), None)
        if file.suffix == ".nes" and first is not None:
            suite_files.append(SuiteFile(file, "/".join(file.parts[first:])))
    return suite_files


def run_nes_rom(file: SuiteFile, engine: str, sample: int = 1) -> SuiteOutcome:
    """One ROM; it is one case."""
    why_not = limit(file.name)
    if why_not is not None:
        return set_apart(f"not run on this machine: {why_not}")
    region = "pal" if file.name.startswith(_PAL) else None
    machine = Nes(read_input(file.path), engine, region=region)
    try:
        verdict = run_test(machine, _MAX_CYCLES)
    except EngineFault as fault:
        return fail(file.name, str(fault)) + count_executed(machine.engine)
    return _outcome(file, verdict) + count_executed(machine.engine)


def _outcome(file: SuiteFile, verdict: NesVerdict | None) -> SuiteOutcome:
    if verdict is None:
        return fail(file.name, f"no verdict after {_MAX_CYCLES:,} cycles")
    if verdict.passed:
        return PASSED
    printed = "".join(c if c.isprintable() else " " for c in verdict.text)
    return fail(file.name, " ".join(printed.split()) or "the test reports a failure")
