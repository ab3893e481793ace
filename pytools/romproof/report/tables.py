"""Tables for a terminal: numbers are never cut, names are when there is no room."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

GAP = 2
"""Blanks between two columns."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; ``cut`` allows it to be narrower than what stands in it."""

    title: str
    justify: Literal["left", "right"] = "right"
    cut: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str | Text]], width: int) -> Table:
    """A table of one-line ``rows`` with a rule under the titles, ``width`` at most.

    Columns that may be cut share what the others leave.
    """
    widths = [width_of(c.title, [row[i] for row in rows]) for i, c in enumerate(columns)]
    fixed = sum(w for w, c in zip(widths, columns, strict=True) if not c.cut)
    cuttable = sum(c.cut for c in columns)
    room = (width - fixed - GAP * (len(columns) - 1)) // max(1, cuttable)
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column, needed in zip(columns, widths, strict=True):
        made.add_column(
            column.title,
            justify=column.justify,
            no_wrap=True,
            overflow="ellipsis",
            width=min(needed, max(1, room)) if column.cut else needed,
        )
    for row in rows:
        made.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return made


def width_of(title: str, cells: Sequence[str | Text]) -> int:
    """The characters that the widest of a column's cells takes."""
    return max([cell_len(title), *(cell_len(str(cell)) for cell in cells)])


def render(parts: Sequence[RenderableType], width: int, colour: bool) -> str:
    """``parts`` below each other as text; ANSI sequences only with ``colour``. A text with
    ``no_wrap``, which is to be pasted, keeps its lines, however long they are."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
    )
    with console.capture() as capture:
        for part in parts:
            # a console joins texts to a new one, which does not have this of them
            console.print(part, soft_wrap=isinstance(part, Text) and bool(part.no_wrap))
    return "\n".join(line.rstrip() for line in capture.get().split("\n"))


def bar(share: float, width: int = 8) -> str:
    """``share`` (0.0 to 1.0) as a bar of at most ``width`` characters, in eighths."""
    full, rest = divmod(round(share * width * 8), 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def cut_left(text: str, width: int) -> str:
    """``text`` without its beginning if it is longer than ``width``."""
    return text if len(text) <= width else f"…{text[1 - width :]}"


def hex_bytes(data: bytes, width: int) -> str:
    """``data`` as hexadecimal in at most ``width`` characters, its length if it is cut."""
    text = data.hex(" ")
    if len(text) <= width:
        return text
    rest = f"… ({len(data)} bytes)"
    return data[: max(1, (width - len(rest)) // 3)].hex(" ") + " " + rest
