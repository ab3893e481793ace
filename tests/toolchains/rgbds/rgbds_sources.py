"""Assembling a text in a test."""

from __future__ import annotations

from collections.abc import Callable

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.asm import Assembled, RgbdsOptions, assemble_source
from romproof.toolchains.rgbds.asm.contexts import source_text
from romproof.toolchains.rgbds.obj.model import RgbdsObject

NAME = "test.asm"


def _silent(text: str) -> None:
    """What PRINT prints is not wanted."""


def run(text: str, out: Callable[[str], None] = _silent) -> Assembled:
    """The outcome of a source that has no errors."""
    options = RgbdsOptions(out=out, warnings=("everything",))
    return assemble_source(source_text(NAME, text.encode()), options, Diagnostics())


def assembled(text: str) -> RgbdsObject:
    """The object of a source that has no errors."""
    made = run(text).object
    assert made is not None
    return made


def printed(text: str) -> list[str]:
    """The lines that a source prints."""
    parts: list[str] = []
    run(text, parts.append)
    return "".join(parts).splitlines()


def faults(text: str) -> list[str]:
    """The messages of a source that has errors."""
    try:
        run(text)
    except BuildFailed as failure:
        return [item.message for item in failure.diagnostics]
    raise AssertionError("no error was found")
