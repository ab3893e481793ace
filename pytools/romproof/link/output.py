"""Puts the files of an image on the disk."""

from __future__ import annotations

from pathlib import Path

from romproof.obj.image import Image
from romproof.text.files import write_all


def write_files(image: Image, folder: Path) -> list[Path]:
    """Write all files of ``image`` below ``folder``, or none; gives their paths."""
    return write_all([(folder / file.name, file.data) for file in image.files])
