"""The one root of all exceptions the toolkit raises on purpose."""

from __future__ import annotations


class RomproofError(Exception):
    """Something the user can act on; its text is shown without a traceback."""


class MissingExtra(RomproofError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed; install it with: pip install 'romproof[{extra}]'"
        )
