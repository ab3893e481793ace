"""Where Python code comes from: whether it is the user's."""

from __future__ import annotations

import os
import sysconfig
from enum import Enum, auto
from functools import cache
from types import FrameType

_OWN = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = tuple(
    f"{os.sep}{folder}-packages{os.sep}{name}{os.sep}"
    for folder in ("site", "dist")
    for name in ("numpy", "z3", "bitwuzla", "llvmlite", "py65")
)


class Author(Enum):
    """Who wrote some code."""

    OWN = auto()
    """romproof."""
    STANDARD = auto()
    """Python's standard library."""
    PACKAGE = auto()
    """A package that romproof itself uses."""
    GENERATED = auto()
    """Nobody: the methods of a dataclass or a named tuple."""
    USER = auto()
    """Whoever uses romproof; other packages too."""


@cache
def author_of(filename: str) -> Author:
    """The origin of code by the name of its file, as code objects have it."""
    if filename.startswith(_OWN):
        return Author.OWN
    if filename == "<string>":
        return Author.GENERATED
    if filename.startswith("<frozen "):
        return Author.STANDARD
    if any(part in filename for part in _PACKAGES):
        return Author.PACKAGE
    return Author.STANDARD if filename.startswith(_STANDARD) else Author.USER


def users_line(frame: FrameType | None) -> str:
    """``file:line`` of the innermost code of a user, from a frame outwards; "" without any."""
    while frame is not None:
        if author_of(frame.f_code.co_filename) is Author.USER:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
