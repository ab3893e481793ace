"""A pipe as a file that is read to its end."""

from __future__ import annotations

import errno
import io
import os
import select
import time
from typing import Any

_LOOK = 0.02
"""Seconds between two looks whether somebody writes."""


class Pipe(io.RawIOBase):
    """All that is written to a pipe: until somebody writes, its end may not be its end."""

    def __init__(self, handle: int, name: str, patience: float) -> None:
        """``patience``: seconds in which somebody has to open the other end."""
        self._handle = handle
        self._name = name
        self._until = time.monotonic() + patience
        self._begun = False

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next part, of no bytes at the end. Raises OSError where nobody writes at all."""
        while True:
            try:
                part = os.read(self._handle, len(buffer))
            except BlockingIOError:
                self._begun = True
                select.select([self._handle], [], [])
                continue
            if part or self._begun:
                self._begun = True
                buffer[: len(part)] = part
                return len(part)
            if time.monotonic() > self._until:
                # not EPIPE, which says that nobody reads what we write
                raise OSError(errno.ENXIO, "No process writes to this pipe", self._name)
            time.sleep(_LOOK)
