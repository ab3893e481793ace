"""A file with the results of verified logs, from which an interrupted run goes on.

One JSON object a line, whole lines only: a line that was cut off with its run is removed. A result
counts for a log while its file (size and time of change), the published hash that it is compared
with, and the code that verifies are the same as when it was made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from fairdeck.tenhou.logs import LogFile
from romproof import BadInput

SCHEMA = "fairdeck.tenhou.verify.result/1"
_BEGIN = f'{{"schema": "{SCHEMA}", '.encode()
"""How each line begins."""
_KEY_BYTES = 8
"""Of a digest of a log's name: two of a million names are the same once in 37 million runs, and
the name in the line is compared as well."""

Object = dict[str, Any]


class BadJournal(BadInput):
    """A file is no journal, or one of another version; the message says which line is not."""


class Journal:
    """The results in an open file. Of each log the place of its last line is held, no more."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        """``file`` is open for reading and appending. Raises BadJournal."""
        self._path = path
        self._file = file
        self._places: dict[bytes, int] = {}
        self._read()

    def find(self, log: LogFile, published: str | None) -> Object | None:
        """The result of a log, if one was made of what is there now."""
        place = self._places.get(_key(str(log)))
        stamp = _stamp(log)
        if place is None or stamp is None:
            return None
        self._file.seek(place)
        line: Object = json.loads(self._file.readline())
        if (line["log"], line["file"], line["published"]) != (str(log), stamp, published):
            return None
        result: Object = line["result"]
        return result

    def add(self, log: LogFile, published: str | None, result: Object) -> None:
        """Append a result, in the file when this returns; not of what is no file."""
        stamp = _stamp(log)
        if stamp is None:
            return
        line = {
            "schema": SCHEMA,
            "made_by": _code(),
            "log": str(log),
            "file": stamp,
            "published": published,
            "result": result,
        }
        self._file.seek(0, 2)
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def _read(self) -> None:
        self._file.seek(0)
        place = 0
        for number, text in enumerate(self._file, 1):
            if not text.endswith(b"\n") and _BEGIN.startswith(text[: len(_BEGIN)]):
                self._file.truncate(place)
                return
            self._places[_key(self._name_in(number, text))] = place
            place += len(text)

    def _name_in(self, number: int, text: bytes) -> str:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict) or line.get("schema") != SCHEMA:
            raise BadJournal(
                f"{self._path}:{number}: not a result of 'fairdeck tenhou verify'; give "
                f"--resume a file that it wrote itself, or a new one"
            )
        if line["made_by"] != _code():
            raise BadJournal(
                f"{self._path}:{number}: a result of another version of fairdeck, which may "
                f"check differently; name a new file"
            )
        return str(line["log"])


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """The results of earlier runs in a file, which is made if it is not there.

    Raises BadJournal, and OSError where it cannot be read or written.
    """
    with open(path, "a+b") as file:
        yield Journal(path, file)


def _key(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def _stamp(log: LogFile) -> list[int] | None:
    """Size in bytes and time of change in nanoseconds of the file a log is in; None: in none."""
    if log.file is None:
        return None
    try:
        status = log.file.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


@cache
def _code() -> str:
    """A digest of the code that verifies."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
