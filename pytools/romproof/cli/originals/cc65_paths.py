"""Where the tools of cc65 look for files that are not where they are named.

First the folders of the command line, then those of the environment, then those of an installed
cc65. Source: filepath.c of ld65, incpath.c of ca65 and of cc65 2.19. One thing is different:
2.19 means to look below the folder in ``CC65_HOME`` and looks below a folder of that name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from romproof.text.paths import ending_of, join_path

_INSTALLED = "/usr/share/cc65"
"""Where packages of cc65 put their files."""
_LIBRARY, _OBJECT = "lib", "obj"
_KINDS = {".a": _LIBRARY, ".lib": _LIBRARY, ".o": _OBJECT, ".obj": _OBJECT}
"""What ld65 takes a file for by its ending; others are only looked for where they are named."""


def _folders(variable: str, below: str) -> list[str]:
    """The folders of the environment and of the installation for one kind of files."""
    folders = [value for value in [os.environ.get(variable)] if value]
    home = os.environ.get("CC65_HOME")
    if home:
        folders.append(join_path(home, below))
    return [*folders, join_path(_INSTALLED, below)]


def include_folders() -> list[str]:
    """For ``.include`` and ``.macpack``, behind those of the command line."""
    return _folders("CA65_INC", "asminc")


def find(name: str, folders: Sequence[str]) -> str | None:
    """The file ``name``, as it stands or in one of the folders."""
    for path in (name, *(join_path(folder, name) for folder in folders)):
        if os.path.isfile(path):
            return path
    return None


def find_config(name: str, folders: Sequence[str]) -> str | None:
    """A configuration of ld65: here, in ``folders``, or in one of the folders for them."""
    return find(name, [*folders, *_folders("LD65_CFG", "cfg")])


def find_input(
    name: str, kind: str, libraries: Sequence[str], objects: Sequence[str]
) -> str | None:
    """An input of ld65. ``kind`` is ``lib`` or ``obj`` where an option says so, else anything."""
    kind = kind if kind in (_LIBRARY, _OBJECT) else _KINDS.get(ending_of(name).lower(), "")
    if kind == _LIBRARY:
        return find(name, [*libraries, *_folders("LD65_LIB", "lib")])
    if kind == _OBJECT:
        return find(name, [*objects, *_folders("LD65_OBJ", "lib")])
    return find(name, [])


def library_help(name: str) -> str | None:
    """Where a missing library can be looked for."""
    if _KINDS.get(ending_of(name).lower()) != _LIBRARY:
        return None
    return "libraries are those of cc65: install it, or name their folder with -L or $LD65_LIB"
