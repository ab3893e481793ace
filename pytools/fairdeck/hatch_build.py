"""Where the build of fairdeck finds the assembly: it is not in the folder of the package.

The library ``asm`` and the programs ``rom`` are top-level folders of the source tree, for they are
half of the project. In the sdist they lie beside the modules, in the wheel too, and so inside the
package ``fairdeck``: they are siblings everywhere, and the relative paths in the manifests hold. An
editable install has none: ``fairdeck.data`` finds those of the tree.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("asm", "rom")
GENERATED = ("asm/6502/riichi/automaton.s", "asm/sm83/riichi/automaton.asm")
"""What make writes and git has not: a tree in which it is missing is not complete."""


class Assembly(BuildHookInterface[BuilderConfig]):
    """Adds FOLDERS to what is built, from an sdist or from a source tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises FileNotFoundError when a folder is neither here nor at the top of the tree, and
        when a generated file is not in it."""
        if version == "editable":
            return
        here = Path(self.root)
        for name in FOLDERS:
            places = (here / name, here.parents[1] / name)
            place = next((place for place in places if place.is_dir()), None)
            if place is None:
                raise FileNotFoundError(f"neither {places[0]} nor {places[1]} is a folder")
            for file in GENERATED:
                if file.startswith(f"{name}/") and not (place.parent / file).is_file():
                    raise FileNotFoundError(f"{place.parent / file} is missing: make writes it")
            build_data["force_include"][str(place)] = name
