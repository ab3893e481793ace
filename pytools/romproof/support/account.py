"""What a result was made from: with the same files it is the same result.

While somebody keeps account, whoever reads a file notes its contents, whoever looks for one in
vain that it is not there, whoever prints what was printed, and whoever asks for what no file
decides, such as the time, that the result is not to be had without doing it again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from romproof.support.reading import read_input
from romproof.support.reading import watching as reads_noted


@dataclass
class Account:
    """``files`` are paths as they were opened, with digests of what was read; ``absent`` are
    paths at which there was no file. ``printed`` is what was printed, in pieces. ``repeatable`` is
    False where more than files decides."""

    files: dict[str, str] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)
    printed: list[str] = field(default_factory=list)
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


def print_out(text: str) -> None:
    """Write to standard output, no line's end added; the account notes what."""
    sys.stdout.write(text)
    account = _made[0].get() if _made else None
    if account is not None:
        account.printed.append(text)


def print_line(text: str) -> None:
    """The same with a line's end."""
    print_out(f"{text}\n")


def environment() -> list[str | None]:
    """What the environment says that decides on what is made (reproducible-builds.org)."""
    return [os.environ.get(name) for name in ("SOURCE_DATE_EPOCH",)]


def not_repeatable() -> None:
    """What was asked or done now is no matter of files."""
    account = _made[0].get() if _made else None
    if account is not None:
        account.repeatable = False


def to_row(account: Account) -> list[object]:
    """An account that is repeatable as JSON can write it; ``from_row`` gives it back."""
    return [account.files, sorted(account.absent), account.printed]


def from_row(row: object) -> Account:
    """See ``to_row``. Raises ValueError for what does not come from it."""
    match row:
        case [dict(files), list(absent), list(printed)]:
            return Account(files, set(absent), printed)
    raise ValueError("this is no account")


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
