"""Names of files as they stand: objects and messages have them as a user wrote them.

``pathlib`` would leave out what means nothing, as in ``./main.s`` or ``inc//io.inc``.
"""

from __future__ import annotations

import os

Name = str | os.PathLike[str]

SEPARATORS = tuple(filter(None, (os.sep, os.altsep)))


def join_path(folder: Name, name: str) -> str:
    """The file ``name`` in a folder, "" for the one we are in."""
    before = os.fspath(folder)
    if not before or os.path.isabs(name):
        return name
    return before + name if before.endswith(SEPARATORS) else f"{before}/{name}"


def folder_of(name: str) -> str:
    """What stands before a file's own name, with the separator; "" where nothing does."""
    return name[: len(name) - len(os.path.basename(name))]


def ending_of(name: str) -> str:
    """``.s`` of ``main.s``; "" where there is none."""
    return os.path.splitext(name)[1]


def with_ending(name: str, ending: str) -> str:
    """``main.o`` of ``main.s`` and ``main``."""
    return os.path.splitext(name)[0] + ending
