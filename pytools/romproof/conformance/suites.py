"""The suites there are, and how each is recognised among the files of a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from romproof.conformance.gameboy import (
    run_age_rom,
    run_blargg_rom,
    run_micro_rom,
    run_mooneye_rom,
)
from romproof.conformance.model import NO_ENGINE, Suite, SuiteFile
from romproof.conformance.nes import find_nes, run_nes_rom
from romproof.conformance.programs6502 import CMOS_PROGRAMS, PROGRAMS, run_nestest, run_program
from romproof.conformance.rgbds_asm import find_asm, run_asm
from romproof.conformance.rgbds_fix import find_fix, run_fix
from romproof.conformance.rgbds_gfx import find_gfx, run_gfx
from romproof.conformance.rgbds_link import find_link, run_link
from romproof.conformance.vectors import run_65c02, run_6502, run_silicon, run_sm83
from romproof.engine.engines import DEFAULT_ENGINE
from romproof.machine.gameboy.limits import MOONEYE

SuitePaths = Sequence[Path]

_BOTH = ("plain", "llvm")
"""Every bus cycle on the one, state and number of cycles on the other."""


_BLARGG = (
    "cgb_sound", "cpu_instrs", "dmg_sound", "halt_bug", "instr_timing", "interrupt_time",
    "mem_timing", "mem_timing-2", "oam_bug",
)  # fmt: skip
"""The parts of Shay Green's tests: folders, or ROMs by themselves."""
_MICRO, _AGE, _SAME = "is_if_set_during_ime0.gb", "ei-halt-dmgC-cgbBCE.gb", "gbc_dma_cont.gb"
"""ROMs by which gbmicrotest is recognised, all of it in one folder, and age-test-roms and
SameSuite, in folders."""


def _in_folder(*parents: str, name: str) -> Callable[[SuitePaths], list[SuiteFile]]:
    """Files whose name matches, in a folder of that name in a folder of that name ..."""
    pattern = re.compile(name)

    def find(files: SuitePaths) -> list[SuiteFile]:
        return [
            SuiteFile(file, file.name)
            for file in files
            if file.parent.parts[-len(parents) :] == parents and pattern.fullmatch(file.name)
        ]

    return find


def _select(*names: str) -> Callable[[SuitePaths], list[SuiteFile]]:
    return lambda files: [SuiteFile(file, file.name) for file in files if file.name in names]


def _nestest(files: SuitePaths) -> list[SuiteFile]:
    known = set(files)
    roms = _select("nestest.nes")(files)
    return [rom for rom in roms if rom.path.with_suffix(".log") in known]


def _micro(files: SuitePaths) -> list[SuiteFile]:
    folders = {file.parent for file in files if file.name == _MICRO}
    roms = (file for file in files if file.suffix == ".gb" and file.parent in folders)
    return [SuiteFile(rom, f"gbmicrotest/{rom.name}") for rom in roms]


def _blargg(files: SuitePaths) -> list[SuiteFile]:
    """ROMs in or with the name of one of the parts; their names begin with it. gbmicrotest has
    a ``halt_bug`` too."""
    others = {rom.path for rom in _micro(files)}
    suite_files = []
    for file in files:
        if file in others:
            continue
        parts = [*file.parts[:-1], file.stem]
        first = next((at for at, part in enumerate(parts) if part in _BLARGG), None)
        if file.suffix == ".gb" and first is not None:
            suite_files.append(SuiteFile(file, "/".join(file.parts[first:])))
    return suite_files


def _mooneye(files: SuitePaths) -> list[SuiteFile]:
    """ROMs in the suite's folders, where there is the first of them with ROMs in it."""
    roms = [file for file in files if file.suffix == ".gb"]
    roots = {file.parents[1] for file in roms if file.parent.name == MOONEYE[0]}
    return [
        SuiteFile(rom, rom.relative_to(root).as_posix())
        for root in sorted(roots)
        for rom in roms
        if rom.is_relative_to(root) and rom.relative_to(root).parts[0] in MOONEYE
    ]


def _beside(known: str, name: str) -> Callable[[SuitePaths], list[SuiteFile]]:
    """ROMs in folders beside that of a ROM that is known; their names begin with the suite's."""

    def find(files: SuitePaths) -> list[SuiteFile]:
        roots = {file.parents[1] for file in files if file.name == known}
        return [
            SuiteFile(rom, f"{name}/{rom.relative_to(root).as_posix()}")
            for root in sorted(roots)
            for rom in files
            if rom.suffix == ".gb" and rom.is_relative_to(root)
        ]

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
                _select("silicon-6502.json.gz"),
                run_silicon,
                _BOTH,
            ),
            Suite(
                "6502-klaus",
                "mos6502",
                "6502_functional_test.bin, 6502_decimal_test.bin, 6502_interrupt_test.bin",
                _select(*PROGRAMS),
                run_program,
                (DEFAULT_ENGINE,),
            ),
            *(
                Suite(
                    f"{cpu}-steps",
                    cpu,
                    f"{cpu}/v1/*.json of SingleStepTests/65x02",
                    _in_folder(cpu, "v1", name=r"[0-9a-f]{2}\.json"),
                    run_65c02,
                    _BOTH,
                )
                for cpu in ("synertek65c02", "rockwell65c02", "wdc65c02")
            ),
            Suite(
                "65c02-klaus",
                "wdc65c02",
                "65C02_extended_opcodes_test.bin",
                _select(*CMOS_PROGRAMS),
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
                "cpu_instrs, mem_timing and the like, *.gb of blargg",
                _blargg,
                run_blargg_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "gb-mooneye",
                "sm83",
                "acceptance/*.gb of mooneye-test-suite and its neighbours",
                _mooneye,
                run_mooneye_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "gb-micro",
                "sm83",
                f"{_MICRO} of gbmicrotest and its neighbours",
                _micro,
                run_micro_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "gb-age",
                "sm83",
                f"halt/{_AGE} of age-test-roms and its neighbours",
                _beside(_AGE, "age-test-roms"),
                run_age_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "gb-same",
                "sm83",
                f"dma/{_SAME} of SameSuite and its neighbours",
                _beside(_SAME, "same-suite"),
                run_age_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite(
                "nes-roms",
                "ricoh2a03",
                "ppu_vbl_nmi, cpu_interrupts_v2 and the like, *.nes of nes-test-roms",
                find_nes,
                run_nes_rom,
                (DEFAULT_ENGINE,),
            ),
            Suite("rgbds-asm", "sm83", "test/asm/*.asm of RGBDS", find_asm, run_asm, (NO_ENGINE,)),
            Suite(
                "rgbds-link", "sm83", "test/link/*.asm of RGBDS", find_link, run_link, (NO_ENGINE,)
            ),
            Suite(
                "rgbds-fix", "sm83", "test/fix/*.flags of RGBDS", find_fix, run_fix, (NO_ENGINE,)
            ),
            Suite(
                "rgbds-gfx",
                "sm83",
                "test/gfx/*.png, *.1bpp, *.2bpp and seed*.bin of RGBDS",
                find_gfx,
                run_gfx,
                (NO_ENGINE,),
            ),
        )
    }
)
"""By name, in the order they are shown."""
