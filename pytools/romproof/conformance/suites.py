"""The suites there are, and how each is recognised among the files of a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from romproof.conformance.gameboy import run_blargg_rom, run_mooneye_rom
from romproof.conformance.model import Suite
from romproof.conformance.programs6502 import PROGRAMS, run_nestest, run_program
from romproof.conformance.vectors import run_6502, run_silicon, run_sm83
from romproof.engine.engines import DEFAULT_ENGINE

Files = Sequence[Path]

_BOTH = ("plain", "llvm")
"""Every bus cycle on the one, state and number of cycles on the other."""


def _in_folder(*parents: str, name: str) -> Callable[[Files], list[Path]]:
    """Files whose name matches, in a folder of that name in a folder of that name ..."""
    pattern = re.compile(name)

    def find(files: Files) -> list[Path]:
        return [
            file
            for file in files
            if file.parent.parts[-len(parents) :] == parents and pattern.fullmatch(file.name)
        ]

    return find


def _named(*names: str) -> Callable[[Files], list[Path]]:
    return lambda files: [file for file in files if file.name in names]


def _nestest(files: Files) -> list[Path]:
    known = set(files)
    return [f for f in files if f.name == "nestest.nes" and f.with_suffix(".log") in known]


def _below(mark: str) -> Callable[[Files], list[Path]]:
    """All ROMs below a folder that has ``mark``, the path of a file or a folder, in it."""

    def find(files: Files) -> list[Path]:
        parts = Path(mark).parts
        roots = {
            Path(*file.parts[:at])
            for file in files
            for at in range(len(file.parts))
            if file.suffix == ".gb" and file.parts[at : at + len(parts)] == parts
        }
        return [f for f in files if f.suffix == ".gb" and any(f.is_relative_to(r) for r in roots)]

    return find


SUITES: Mapping[str, Suite] = MappingProxyType(
    {
        suite.name: suite
        for suite in (
            Suite(
                "6502-steps",
                "mos6502",
                "6502/v1/*.json of SingleStepTests/65x02",
                _in_folder("6502", "v1", name=r"[0-9a-f]{2}\.json"),
                run_6502,
                _BOTH,
            ),
            Suite(
                "6502-silicon",
                "mos6502",
                "silicon-6502.json.gz",
                _named("silicon-6502.json.gz"),
                run_silicon,
                _BOTH,
            ),
            Suite(
                "6502-klaus",
                "mos6502",
                "6502_functional_test.bin, 6502_decimal_test.bin, 6502_interrupt_test.bin",
                _named(*PROGRAMS),
                run_program,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "6502-nestest",
                "mos6502",
                "nestest.nes with nestest.log",
                _nestest,
                run_nestest,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "sm83-steps",
                "sm83",
                "sm83/v1/*.json of SingleStepTests/sm83",
                _in_folder("sm83", "v1", name=r"(cb )?[0-9a-f]{2}\.json"),
                run_sm83,
                _BOTH,
            ),
            Suite(
                "gb-blargg",
                "sm83",
                "cpu_instrs/cpu_instrs.gb and its neighbours",
                _below("cpu_instrs/cpu_instrs.gb"),
                run_blargg_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "gb-mooneye",
                "sm83",
                "acceptance/*.gb of mooneye-test-suite and its neighbours",
                _below("acceptance"),
                run_mooneye_rom,
                (DEFAULT_ENGINE,),
            ),
        )
    }
)
"""By name, in the order they are shown."""
