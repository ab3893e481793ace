"""The folder for what can be made again, but not quickly."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "ROMPROOF_CACHE"
"""The environment variable that names the folder; empty: keep nothing."""


def cache_folder() -> Path | None:
    """$ROMPROOF_CACHE, or romproof in the user's cache folder; None: nothing is kept."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "romproof"
    except RuntimeError:  # no home folder
        return None
