"""What a result was made from: with the same files it is the same result.

While somebody keeps account, whoever reads a file notes its contents, whoever looks for one in
vain that it is not there, and whoever does or asks what no file decides – the time, printing –
that the result is not to be had without doing it again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from romproof.support.reading import read_input
from romproof.support.reading import watching as reads_noted


@dataclass
class Account:
    """``files`` are paths as they were opened, with digests of what was read; ``absent`` are
    paths at which there was no file. ``repeatable`` is False where more than files decides."""

    files: dict[str, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    repeatable: bool = True

    def note(self, path: str, data: bytes | None) -> None:
        """A file was read; None: all of it cannot be had again, as from a pipe."""
        if data is None or self.files.setdefault(path, _digest(data)) != _digest(data):
            self.repeatable = False


_made: list[ContextVar[Account | None]] = []
"""The account that is kept, once there was one: as in reading.py."""


def _current() -> ContextVar[Account | None]:
    if not _made:
        from contextvars import ContextVar

        _made.append(ContextVar("account", default=None))
    return _made[0]


@contextmanager
def accounting() -> Iterator[Account]:
    """An account of what the block reads and looks for."""
    account = Account()
    token = _current().set(account)
    try:
        with reads_noted(account.note):
            yield account
    finally:
        _current().reset(token)


def is_file(path: str) -> bool:
    """Whether there is something at a path that can be read, which need not be a regular file.

    What can be no path is none. The account notes where there is nothing.
    """
    there = _is_file(path)
    account = _made[0].get() if _made else None
    if not there and account is not None:
        account.absent.add(path)
    return there


def not_repeatable() -> None:
    """What was asked or done now is no matter of files."""
    account = _made[0].get() if _made else None
    if account is not None:
        account.repeatable = False


def still_true(account: Account) -> bool:
    """Whether all files are as they were, and those that were not there are still not."""
    if not account.repeatable or any(map(_is_file, account.absent)):
        return False
    try:
        return all(_digest(read_input(path)) == seen for path, seen in account.files.items())
    except OSError:
        return False


def _is_file(path: str) -> bool:
    return os.path.exists(path) and not os.path.isdir(path)


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()
