"""Memory that is kept for the next question.

Each question has a context of z3's own, some megabytes that are taken and given back. glibc returns
them to the system each time, and to take them again, page by page, took longer than most questions.
"""

from __future__ import annotations

import ctypes
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Names of glibc's, see mallopt(3)."""
KEPT = 256 << 20
"""Bytes that are free and not returned to the system, at most."""
LARGE = 32 << 20
"""Blocks of more bytes are still returned at once; glibc allows no more than this."""


@cache
def keep_freed_memory() -> bool:
    """Have this process keep freed memory; whether the system's C library can do so."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # not glibc
        return False
    return bool(mallopt(TRIM_THRESHOLD, KEPT)) and bool(mallopt(MMAP_THRESHOLD, LARGE))
