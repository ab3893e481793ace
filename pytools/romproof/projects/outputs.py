"""What is written of an image: everything or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from romproof.program.image import Image
from romproof.program.labels import vice_labels
from romproof.program.listing import listing
from romproof.program.maptext import map_text
from romproof.support.files import write_all
from romproof.text.errors import RomproofError


class Overwrites(RomproofError):
    """An output would replace a source, or another output."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What goes along with an image, made when it is wanted."""

    listing: Callable[[Image], str] = listing
    labels: Callable[[Image], str] = vice_labels
    map: Callable[[Image], str] = map_text


def write_outputs(
    image: Image,
    folder: Path,
    listing_file: Path | None = None,
    labels_file: Path | None = None,
    map_file: Path | None = None,
    texts: Texts | None = None,
    others: Sequence[tuple[Path, Callable[[Image], str]]] = (),
) -> list[Path]:
    """Write the image's files into ``folder`` and what goes along; gives the paths.

    ``others`` are further files with what makes their texts.

    All of them or none. Raises OSError, and Overwrites when a file would
    replace a source or another output.
    """
    texts = texts or Texts()
    makers = ((listing_file, texts.listing), (labels_file, texts.labels), (map_file, texts.map))
    files: list[tuple[Path, bytes | str]] = [
        *((folder / file.name, file.data) for file in image.files),
        *((path, make(image)) for path, make in makers if path is not None),
        *((path, make(image)) for path, make in others),
    ]
    taken = {os.path.realpath(source.name): "is a source" for source in image.sources}
    for path, _ in files:
        if os.path.realpath(path) in taken:
            raise Overwrites(f"cannot write '{path}': this file {taken[os.path.realpath(path)]}")
        taken[os.path.realpath(path)] = "is another output of the project"
    return write_all(files)
