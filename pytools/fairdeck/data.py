"""Where the machine programs are kept."""

from __future__ import annotations

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
