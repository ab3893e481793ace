"""The options that say more of an image of another build system than its path does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from romproof.cli.values import Choice, Number
from romproof.text.errors import BadInput

if TYPE_CHECKING:
    from romproof.projects import Manifest

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "romproof.foreign"
_FILE = click.Path(path_type=Path)


def _machines() -> tuple[str, ...]:
    from romproof.formats.layout import MACHINES

    return MACHINES


def _note(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Keep what an option says for ``given_options``."""
    if value not in (None, ()):
        context.meta.setdefault(_KEY, {})[parameter.name] = value
    return value


def _option(name: str, help: str, **others: Any) -> Callable[[Command], Command]:
    text = f"{help} For an image of another build system."
    return click.option(name, help=text, callback=_note, expose_value=False, **others)


_OPTIONS = (
    _option(
        "--symbols",
        "Symbols or debug information: .dbg, .sym, .map, .mlb, .lbl, .nl.",
        type=_FILE,
        multiple=True,
        metavar="FILE",
    ),
    _option("--contracts", "Contracts of routines.", type=_FILE, multiple=True, metavar="FILE"),
    _option("--sources", "Where to look for sources.", type=_FILE, multiple=True, metavar="FOLDER"),
    _option("--machine", "The machine.", type=Choice("machine", _machines)),
    _option("--load-address", "Where a .bin begins.", type=Number(0, 0xFFFF), metavar="ADDR"),
)


def foreign_options(command: Command) -> Command:
    """Add the options; ``manifest_called`` knows what they say."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given_options() -> Mapping[str, Any]:
    """What the command line at work says of an image."""
    context = click.get_current_context(silent=True)
    given: Mapping[str, Any] = {} if context is None else context.meta.get(_KEY, {})
    return given


def manifest_called(name: str) -> Manifest:
    """The manifest of the ROM ``name``, or of the image at that path.

    Raises what find_manifest raises, and BadInput for options that are for an image.
    """
    from romproof.formats.images import is_image
    from romproof.projects import find_manifest
    from romproof.projects.foreign import Foreign
    from romproof.projects.manifest import manifest_of_image

    given = given_options()
    if not given:
        return find_manifest(name)
    path = Path(name)
    if not is_image(name) and not path.is_file():
        said = next(iter(given)).replace("_", "-")
        raise BadInput(
            f"--{said} is for an image, such as game.nes; what '{name}' is says its manifest"
        )
    return manifest_of_image(Foreign(path, path.parent, **given))
