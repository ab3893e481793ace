"""What the caller of the assembler chooses, in the terms of rgbasm(1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from romproof.support.account import print_out

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.dialect import Dialect


Progress = Callable[[str, int, int], None]
"""Called now and then: the source, lines read so far, and lines known so far."""


class MissingInclude(Enum):
    """What happens when a file to include is not there (-MG and -MC)."""

    ERROR = "error"
    EXIT = "exit"
    """Stop quietly: the file will be made from the dependencies."""
    CONTINUE = "continue"
    """Go on, without an object in the end."""


def _print(text: str) -> None:
    print_out(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class RgbdsOptions:
    """Settings of one run; each names the option of rgbasm it denotes.

    ``defines`` (-D) are names and the texts they denote; ``include`` (-I) folders that are
    searched after the current one; ``preinclude`` (-P) files read before the source.
    ``warnings`` (-W) are texts as they follow the option, ``no_warnings`` is -w.
    ``binary_digits`` (-b) has two characters, ``gfx_digits`` (-g) four. ``pad`` (-p) is the
    byte 0..255 that DS fills ROM with, ``precision`` (-Q) the fractional bits 1..31 of
    fixed-point numbers, ``recursion_depth`` (-r) how deep expansions may nest.
    ``export_all`` is -E, ``show_quiet`` is -B all; ``max_errors`` (-X) 0 or None has no limit of
    its own.
    ``dialect`` reads sources as an older release does; ``nop_after_halt`` and ``load_high`` are
    what such a release does unless its options -h and -L are given: a NOP behind each HALT, and
    LDH for LD with an address from $FF00 on.
    ``lines``: the object knows which source lines made which bytes, which no object file says.
    ``out`` receives what PRINT prints (bytes that are no UTF-8 as surrogates), ``progress`` how
    far the assembler is, ``reading`` the path of each file that is read on behalf of the source,
    each time.
    """

    defines: tuple[tuple[str, str], ...] = ()
    include: tuple[Path, ...] = ()
    preinclude: tuple[Path, ...] = ()
    warnings: tuple[str, ...] = ()
    no_warnings: bool = False
    binary_digits: str = "01"
    gfx_digits: str = "0123"
    pad: int = 0
    precision: int = 16
    recursion_depth: int = 64
    export_all: bool = False
    show_quiet: bool = False
    max_errors: int | None = None
    dialect: Dialect | None = None
    nop_after_halt: bool = False
    load_high: bool = False
    lines: bool = True
    missing_include: MissingInclude = MissingInclude.ERROR
    out: Callable[[str], None] = _print
    progress: Progress | None = None
    reading: Callable[[str], None] | None = None
