"""What debuggers of other people read of a program that romproof built."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from romproof.formats.mesen_write import mesen_labels
from romproof.program.image import Image
from romproof.program.labels import vice_labels
from romproof.projects.manifest import Manifest
from romproof.text.errors import BadInput

if TYPE_CHECKING:
    from romproof.toolchains.ca65.link.linker import Linked

DebugWriter = Callable[[Image], str]

_OF_IMAGES: Mapping[str, DebugWriter] = MappingProxyType({"mlb": mesen_labels, "lbl": vice_labels})
"""By the ending of the file: Mesen's labels, VICE's labels."""
DEBUG_FILES = ("dbg", *_OF_IMAGES)
"""The first is ld65's debug information."""


def debug_files(
    manifest: Manifest, folder: Path, wanted: Collection[str], linked: Linked | None
) -> list[tuple[Path, DebugWriter]]:
    """The files of some kinds beside an image, with what writes them; ``linked`` is the link of a
    program for the 6502.

    Raises BadInput for debug information of ld65 of another program than the 6502's.
    """
    if "dbg" in wanted and manifest.is_gameboy:
        raise BadInput(
            f"'{manifest.name}' is for the Game Boy, and a .dbg is only for the 6502; emulators "
            f"read the .sym that is always written, or an .mlb"
        )
    writers = dict(_OF_IMAGES)
    if linked is not None:
        from romproof.toolchains.ca65.link.dbgfile import debug_info

        program = linked
        writers["dbg"] = lambda _: debug_info(program)
    beside = [ending.removeprefix(".") for ending in manifest.endings]
    return [
        (folder / f"{manifest.stem}.{kind}", writers[kind])
        for kind in dict.fromkeys(wanted)
        if kind not in beside
    ]
