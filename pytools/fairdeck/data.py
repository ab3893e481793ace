"""Where the machine programs are kept."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import fairdeck
from romproof import RomproofError

DEFAULT_ENGINE = "auto"
"""What romproof calls the fastest engine that there is."""


class DataMissing(RomproofError):
    """The programs that belong to the package are not there."""


def rom_folder() -> Path:
    """The folder with one sub-folder for each program; the library ``asm`` lies beside it.

    Installed, it is in the package; in a source tree it is the top-level
    ``rom``. Raises DataMissing when it is in neither place.
    """
    package = Path(fairdeck.__file__).resolve().parent
    places = (package / "rom", package.parents[1] / "rom")
    for place in places:
        if place.is_dir():
            return place
    raise DataMissing(
        f"the folder of machine programs is missing: neither {places[0]} nor {places[1]} exists; "
        "install the package again, or run from a complete source tree"
    )


@cache
def digest_of_sources() -> str:
    """A digest of the machine programs and of the library that they are built from.

    What is made of them is kept between runs under names that have it. Raises DataMissing.
    """
    folder = rom_folder()
    digest = hashlib.sha256()
    for root in (folder, folder.with_name("asm")):
        for path in sorted(each for each in root.rglob("*") if each.is_file()):
            digest.update(f"{path.relative_to(root.parent)}\n".encode("utf-8", "surrogateescape"))
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
