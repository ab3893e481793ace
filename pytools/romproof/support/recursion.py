"""Functions that go down into what may be nested deeply, a few Python frames a level."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deep_recursion(frames: int) -> Iterator[None]:
    """Within it, so many Python frames may be open at least."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, frames))
        yield
    finally:
        sys.setrecursionlimit(limit)
