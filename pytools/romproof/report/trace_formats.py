"""The forms that a trace can have as text, by the names that ``--trace-format`` knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from romproof.harness.replay.trace import Look, TraceStep
from romproof.isa.abi import abi_of
from romproof.machine.board import Board
from romproof.program.image import Image
from romproof.report.mesen import MESEN_MACHINES, mesen_line
from romproof.report.nestest import log_line, operands_of
from romproof.text.errors import BadInput

MESEN, NESTEST, DOCTOR = "mesen", "nestest", "gameboy-doctor"
TRACE_FORMATS = (MESEN, NESTEST, DOCTOR)


class BadTraceFormat(BadInput):
    """No such trace can be made of this program."""


@dataclass(frozen=True, slots=True)
class TraceFormat:
    """How steps are written. ``look`` makes of a board what looks at it before each instruction,
    ``line`` makes of a step its line; None for a step that has none."""

    look: Callable[[Board], Look | None]
    line: Callable[[Image, TraceStep], str | None]


def trace_format(cpu: str, machine: str, name: str | None = None) -> TraceFormat:
    """The form called ``name`` for a program of ``cpu`` on ``machine``; None: the log of its CPU,
    nestest.log or what gameboy-doctor reads.

    Raises BadTraceFormat for one that has no line for them, and NoAbi.
    """
    own = NESTEST if abi_of(cpu).is_6502 else DOCTOR
    if name is None or name == own:
        return TraceFormat(lambda board: operands_of(cpu), log_line)
    if name != MESEN:
        raise BadTraceFormat(
            f"the trace format '{name}' is not for the {abi_of(cpu).cpu}: use {own}"
            + (f" or {MESEN}" if machine in MESEN_MACHINES else "")
        )
    if machine not in MESEN_MACHINES:
        raise BadTraceFormat(
            f"the trace format 'mesen' is for NES and Game Boy, and the program runs on "
            f"'{machine}', which Mesen 2 does not have: use {own}"
        )
    return TraceFormat(lambda board: lambda engine: mesen_line(board), _mesen)


def default_of_frames(machine: str) -> str | None:
    """The format of a whole program's trace where nobody names one."""
    return MESEN if machine in MESEN_MACHINES else None


def _mesen(image: Image, step: TraceStep) -> str | None:
    return step.note if step.is_instruction else None
