"""Python's search for garbage, which is put off where a great deal is made that stays.

The search begins whenever some hundred objects more are there than before. A program of some
hundred thousand lines is a million objects, and to look through all of them again and again takes
up to two thirds of the time of making them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """No search in the block, whatever ends it; circles that it leaves are found after it."""
    was = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if was:
            gc.enable()
