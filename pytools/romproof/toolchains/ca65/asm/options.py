"""What the caller of an assembler chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from romproof.support.account import print_line
from romproof.text.paths import Name
from romproof.toolchains.ca65.obj.dialect import V2_19, Dialect

Progress = Callable[[str, int, int], None]
"""Called now and then: the source, lines read so far, and lines known so far."""


class ExpandedLines(Enum):
    """Which lines of macros and repeats a listing has."""

    NONE = 0
    BYTES = 1
    """Those with bytes, and what calls them."""
    ALL = 2


@dataclass(frozen=True)
class Options:
    """Settings of one run.

    ``defines`` are (name, value) pairs as ``-D`` gives them; ``include`` are
    folders searched for .include and .incbin after the file's own; ``cpu`` is
    one of romproof.toolchains.ca65.obj.cpus, "" that of the target; ``features``
    are names as ``.feature`` takes them; ``target`` is a system of
    romproof.toolchains.ca65.asm.targets, which predefines symbols and a character
    set; ``out`` receives every line that ``.out`` prints;
    ``progress`` is called with how far the assembler is.

    ``auto_import``, ``ignore_case`` and ``smart`` are the settings that .autoimport,
    .case and .smart begin with. ``bin_include`` are the folders for .incbin where they
    are others than ``include``. ``reading`` is called with the name of every file that is opened.

    ``tables`` asks for what an object file says besides bytes, ``debug_info`` for all of it;
    ``listed`` is called with the listing, then: its ``list_bytes`` of a line (0: all), its
    ``page_length`` in lines (0: one page). ``far_code``: the memory model "far", whose segment CODE
    has far addresses. ``relax_checks`` leaves it to the linker whether
    addresses fit. ``only_file``: nothing is wanted but what an object file says, with
    its large tables written (``packed``). ``dialect`` is the release whose language it is.
    ``warn_align_waste`` warns about bytes that are skipped to align the next.
    ``list_segments``: the listing says of each line which segment it is in;
    ``list_expansions``: and which lines of macros it was made from.
    """

    defines: tuple[tuple[str, int], ...] = ()
    include: tuple[Name, ...] = ()
    cpu: str = "6502"
    features: tuple[str, ...] = ()
    out: Callable[[str], None] = print_line
    target: str = "none"
    progress: Progress | None = None
    auto_import: bool = False
    ignore_case: bool = False
    smart: bool = False
    bin_include: tuple[Name, ...] | None = None
    reading: Callable[[str], None] | None = None
    tables: bool = False
    debug_info: bool = False
    relax_checks: bool = False
    listed: Callable[[str], None] | None = None
    list_bytes: int = 12
    page_length: int = 0
    far_code: bool = False
    only_file: bool = False
    warn_align_waste: bool = False
    list_segments: bool = False
    list_expansions: ExpandedLines = ExpandedLines.NONE
    dialect: Dialect = V2_19
