"""What a failing test shows of the code it called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType

import pytest

from romproof.harness.checks.compared import explain_memory
from romproof.harness.errors import CallError
from romproof.harness.rom import Rom
from romproof.machine.screen import Screen
from romproof.report.pictures import BadPicture
from romproof.text.errors import RomproofError


def without_toolkit(excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Take the toolkit's own frames out of the traceback of one of its errors.

    What is left ends with the line of the test that made the call.
    """
    if not isinstance(excinfo.value, RomproofError):
        return
    here: TracebackType | None = excinfo.tb
    while here is not None:
        following = here.tb_next
        while following is not None and _of_toolkit(following):
            following = following.tb_next
        here.tb_next = following
        here = following
    excinfo.traceback = type(excinfo.traceback)(excinfo.tb)


def _of_toolkit(step: TracebackType) -> bool:
    module: str = step.tb_frame.f_globals.get("__name__", "")
    return module.partition(".")[0] == "romproof"


def last_calls(
    roms: Iterable[Rom], error: BaseException, compared: Sequence[object] | None
) -> list[tuple[str, str]]:
    """Report sections for the memory that was compared and for the last call made; none when the
    error tells it itself. ``compared`` are the two sides of the comparison that failed, if it was
    one."""
    if isinstance(error, (CallError, BadPicture)):
        return []
    if any(isinstance(one, Screen) for one in compared or ()):
        return []  # what led to a picture is no matter of its last instructions
    sections = []
    for rom in roms:
        memory = explain_memory(rom.reads, compared)
        if memory:
            sections.append(("romproof: memory", memory))
        if rom.last_call is not None:
            sections.append(("romproof: last call", rom.last_call.report()))
    return sections
