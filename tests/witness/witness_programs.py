"""Routines for the tests of what is executed after a proof."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from romproof.harness.rom import Rom
from romproof.projects import build, load_manifest
from romproof.prover.refinement.fragment import piece_of
from romproof.prover.states.program import program_of
from romproof.witness.results import Point, Witnessed
from romproof.witness.subject import Subject, subject_of
from romproof.witness.witness import Plan, witness

DATA_6502 = """\
        .segment "ZEROPAGE"
tmp:    .res 1
flag:   .res 1
arr:    .res 16
wide:   .res 8
ptr:    .res 2
        .exportzp tmp, flag, arr, wide, ptr
        .segment "CODE"
"""
DATA_SM83 = """\
SECTION "data", WRAM0
tmp::   ds 1
flag::  ds 1
arr::   ds 16
wide::  ds 8
ptr::   ds 2
SECTION "code", ROM0
"""


@cache
def rom_of(source: str, cpu: str = "6502") -> Rom:
    """The program of a source: data with names, and then the source."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / ("demo.asm" if cpu == "sm83" else "demo.s")
        file.write_text((DATA_SM83 if cpu == "sm83" else DATA_6502) + source, "utf-8")
        manifest = folder / "manifest.toml"
        manifest.write_text(
            f'[rom]\nname = "demo"\ncpu = "{cpu}"\nsources = ["{file.name}"]\n', "utf-8"
        )
        return Rom(build(load_manifest(manifest)).image)


def routine_6502(contract: str, code: str) -> str:
    """The source of a routine ``it``: the lines of its contract, and those of its code."""
    return _routine(contract, f".export it\n.proc it\n{_lines(code)}\n.endproc\n")


def routine_sm83(contract: str, code: str) -> str:
    """The same for the SM83."""
    return _routine(contract, f"it::\n{_lines(code)}\n")


def _routine(contract: str, code: str) -> str:
    fields = "\n".join(f"; {line.strip()}" for line in contract.split(";"))
    return f";; it – is tried.\n{fields}\n{code}"


def _lines(code: str) -> str:
    return "\n".join(
        line.strip() if line.strip().endswith(":") else f"        {line.strip()}"
        for line in code.split("/")
    )


def subject_in(rom: Rom, routine: str = "it", stack: tuple[int, int] | None = None) -> Subject:
    """A routine of a program."""
    program = program_of(rom)
    contract = rom.contracts[routine]
    return subject_of(rom, contract, rom.image.address(routine), program.is_fixed, (), stack)


def piece_in(rom: Rom, text: str, begin: str, ends: Sequence[str]) -> Subject:
    """A piece of code, with the contract in ``text``."""
    piece = piece_of(rom.image, text, begin, *ends)
    places = [rom.image.address(end) for end in ends]
    address = rom.image.address(begin)
    return subject_of(rom, piece.contract, address, program_of(rom).is_fixed, places)


# a run that ends takes a few hundred cycles here: what takes more will not end
SHORT = Plan(limit=20_000, plain_cycles=1_000_000)


def seen(
    contract: str, code: str, cpu: str = "6502", plan: Plan | None = None, **more: object
) -> Witnessed:
    """What comes of executing one routine."""
    write = routine_sm83 if cpu == "sm83" else routine_6502
    subject = subject_in(rom_of(write(contract, code), cpu))
    return witness(subject, plan or SHORT, **more)  # type: ignore[arg-type]


def statements(found: Witnessed) -> list[str]:
    """The statements that do not hold."""
    return [each.statement.text for each in found.disagreements]


__all__ = ["Plan", "Point", "piece_in", "rom_of", "seen", "statements", "subject_in"]
