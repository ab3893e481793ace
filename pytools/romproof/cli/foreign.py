"""The options that say more of an image of another build system than its path does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from romproof.cli.options import Command
from romproof.cli.values import LazyChoice, Number
from romproof.text.errors import BadInput

if TYPE_CHECKING:
    from romproof.projects import Manifest


_KEY = "romproof.foreign"
_OTHER = "other_"
"""What the names of options begin with that are for a second image."""
_FILE = click.Path(path_type=Path)


def _machines() -> tuple[str, ...]:
    from romproof.formats.layout import MACHINES

    return MACHINES


def _note(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Keep what an option says for ``read_options``."""
    if value not in (None, ()):
        context.meta.setdefault(_KEY, {})[parameter.name] = value
    return value


def _option(name: str, help: str, **others: Any) -> Callable[[Command], Command]:
    return click.option(name, help=help, callback=_note, expose_value=False, **others)


_OPTIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "symbols": (
        "File of symbols or debug information: .dbg, .sym, .map, .mlb, .lbl, .nl.",
        {"type": _FILE, "multiple": True, "metavar": "FILE"},
    ),
    "contracts": (
        "File of contracts.",
        {"type": _FILE, "multiple": True, "metavar": "FILE"},
    ),
    "sources": (
        "Search this folder for sources.",
        {"type": _FILE, "multiple": True, "metavar": "FOLDER"},
    ),
    "machine": ("Machine that the image runs on.", {"type": LazyChoice("machine", _machines)}),
    "load-address": (
        "Start address of a .bin file.",
        {"type": Number(0, 0xFFFF), "metavar": "ADDR"},
    ),
}


def foreign_options(command: Command) -> Command:
    """Add the options; ``manifest_called`` knows what they say."""
    for name, (text, others) in reversed(list(_OPTIONS.items())):
        text = f"{text} For an image of another build system."
        command = _option(f"--{name}", text, **others)(command)
    return command


def other_foreign_options(command: Command) -> Command:
    """Add the same for a second image: ``--other-symbols`` and so on, without which it has those of
    the first."""
    for name, (_, others) in reversed(list(_OPTIONS.items())):
        text = f"--{name} for the second image, if it differs from the first."
        command = _option(f"--other-{name}", text, **others)(command)
    return command


def read_options(other: bool = False) -> Mapping[str, Any]:
    """What the command line at work says of an image; ``other``: of the second one."""
    context = click.get_current_context(silent=True)
    given: Mapping[str, Any] = {} if context is None else context.meta.get(_KEY, {})
    first = {name: value for name, value in given.items() if not name.startswith(_OTHER)}
    if not other:
        return first
    mine = {
        name.removeprefix(_OTHER): value for name, value in given.items() if name.startswith(_OTHER)
    }
    return {**first, **mine}


def manifest_called(name: str, other: bool = False) -> Manifest:
    """The manifest of the ROM ``name``, or of the image at that path; ``other``: of the second one
    that the command line names.

    Raises what find_manifest raises, and BadInput for options that are for an image.
    """
    from romproof.formats.images import is_image
    from romproof.projects import find_manifest
    from romproof.projects.foreign import Foreign
    from romproof.projects.manifest import manifest_of_image

    given = read_options(other)
    if not given:
        return find_manifest(name)
    path = Path(name)
    if not is_image(name) and not path.is_file():
        if other and given == read_options():
            return find_manifest(name)  # they are the first one's
        said = next(iter(given)).replace("_", "-")
        raise BadInput(
            f"--{said} is for images such as game.nes; '{name}' has a manifest that sets it"
        )
    return manifest_of_image(Foreign(path, path.parent, **given))
