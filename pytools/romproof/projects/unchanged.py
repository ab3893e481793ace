"""ROMs whose files are on the disk as a build would write them.

What a build read, what it looked for in vain and what it wrote is noted (romproof.support.account),
and the note is kept (romproof.support.cache). As long as all of it is as it was, the settings too,
and romproof's own source, a build would write the same once more; its warnings, and what it
printed, are told again. One that fails or asks for the time is done each time, and so is one of an
image that another build system makes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path

from romproof.program.serialize import diagnostics_from_row, diagnostics_to_row
from romproof.projects.built import Built
from romproof.projects.manifest import Manifest
from romproof.support import cache
from romproof.support.account import (
    Account,
    accounting,
    environment,
    from_row,
    print_out,
    still_true,
    to_row,
)
from romproof.text.diagnostic import Diagnostic

_ENDING = ".built"
_MAX = 1024
"""Notes that are kept: ROMs with older ones are built again."""


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """The files of a ROM on the disk, each with its size in bytes; the first ``images`` are those
    of the program itself. ``reused``: they were there, and a build would not have changed them."""

    files: tuple[tuple[Path, int], ...]
    images: int
    diagnostics: tuple[Diagnostic, ...] = ()
    reused: bool = False


def make(
    manifest: Manifest, asked: Hashable, build: Callable[[], Built], fresh: bool = False
) -> MadeFiles:
    """The files of a ROM: those that are there if ``build`` would write the same, else built now.

    ``asked`` is what they depend on besides the manifest and what it names: the options of
    ``build``, with a ``repr`` that says all of them. ``fresh``: build in any case. Raises what
    ``build`` raises.
    """
    if manifest.foreign is not None:
        return _list_made(build())
    what = (os.getcwd(), manifest, asked, environment())
    name = hashlib.sha256(repr(what).encode("utf-8", "surrogateescape")).hexdigest() + _ENDING
    known = None if fresh else _recall(name)
    if known is not None:
        return known
    with accounting() as account:
        built = build()
    made = _list_made(built)
    if account.repeatable:
        _keep(name, account, made)
    return made


def _keep(name: str, account: Account, made: MadeFiles) -> None:
    try:
        warnings = diagnostics_to_row(made.diagnostics)
    except RecursionError:  # macros within macros, thousands of them
        return
    rows = [(str(path), size, _digest(path)) for path, size in made.files]
    head = (_makers(), to_row(account), warnings, made.images, rows)
    cache.keep(name, json.dumps(head).encode(), _MAX)


def _list_made(built: Built) -> MadeFiles:
    files = tuple((path, path.stat().st_size) for path in built.files)
    return MadeFiles(files, min(len(files), len(built.image.files)), built.diagnostics)


def _recall(name: str) -> MadeFiles | None:
    data = cache.recall(name)
    if data is None:
        return None
    try:
        makers, row, warnings, images, rows = json.loads(data)
        account, diagnostics = from_row(row), diagnostics_from_row(warnings)
    except ValueError:
        return None
    if makers != _makers() or not still_true(account):
        return None
    if any(_digest(Path(path)) != digest for path, _, digest in rows):
        return None
    for text in account.printed:
        print_out(text)
    files = tuple((Path(path), size) for path, size, _ in rows)
    return MadeFiles(files, images, diagnostics, reused=True)


def _makers() -> str:
    """All of romproof: a listing has what routines cost, which most of it has a part in."""
    return cache.digest_of_packages("romproof")


def _digest(path: Path) -> str:
    """Of a file that was written; "" when it is not there any more."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
