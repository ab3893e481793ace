"""Writing results so that nothing is lost when something goes wrong."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path


def write_atomically(path: Path, data: bytes | str) -> None:
    """Write ``data`` to ``path`` through a temporary file and a rename.

    The old file stays until the new one is complete. Text is written as
    UTF-8. Folders on the way are made. Raises OSError as open() would.
    """
    raw = data.encode() if isinstance(data, str) else data
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        # mkstemp makes private files; a result gets the permissions any new file gets
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_all(files: Sequence[tuple[Path, bytes | str]]) -> list[Path]:
    """Write several files that belong together; gives their paths.

    Each replaces its old version in one step. When one cannot be written,
    those written before it are put back as they were, and the OSError goes on
    to the caller.
    """
    written: list[tuple[Path, bytes | None]] = []
    try:
        for path, data in files:
            old = path.read_bytes() if path.is_file() else None
            write_atomically(path, data)
            written.append((path, old))
    except OSError:
        for path, old in reversed(written):
            if old is None:
                path.unlink(missing_ok=True)
            else:
                write_atomically(path, old)
        raise
    return [path for path, _ in written]
