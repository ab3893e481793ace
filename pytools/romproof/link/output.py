"""Puts the files of an image on the disk."""

from __future__ import annotations

from pathlib import Path

from romproof.obj.image import Image
from romproof.text.files import write_atomically


def write_files(image: Image, folder: Path) -> list[Path]:
    """Write all files of ``image`` below ``folder``; gives their paths.

    Each file replaces its old version in one step. When one cannot be
    written, those written before it are put back as they were, and the
    OSError goes on to the caller.
    """
    written: list[tuple[Path, bytes | None]] = []
    try:
        for file in image.files:
            path = folder / file.name
            old = path.read_bytes() if path.is_file() else None
            write_atomically(path, file.data)
            written.append((path, old))
    except OSError:
        for path, old in reversed(written):
            if old is None:
                path.unlink(missing_ok=True)
            else:
                write_atomically(path, old)
        raise
    return [path for path, _ in written]
