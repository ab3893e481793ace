"""Files of profiles: the options that name them, and what is written into them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from romproof.measure.recorded import RecordedProfile

_FORMATS = {
    "callgrind": "Write the profile for KCachegrind and callgrind_annotate.",
    "speedscope": "Write the profile for speedscope.",
    "collapsed": "Write the profile as collapsed stacks, for flamegraph.pl.",
    "html": "Write the profile as an HTML page: flame graph, source lines, memory map.",
}


def profile_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name files; the command gets ``files``, by format."""

    @functools.wraps(command)
    def with_files(*args: Any, **values: Any) -> Any:
        named = {name: values.pop(f"{name}_file") for name in _FORMATS}
        files = {name: path for name, path in named.items() if path is not None}
        return command(*args, files=files, **values)

    for name, text in reversed(_FORMATS.items()):
        option = click.option(f"--{name}", f"{name}_file", type=click.Path(), help=text)
        with_files = option(with_files)
    return with_files


def write_profiles(files: Mapping[str, str], programs: Sequence[RecordedProfile]) -> None:
    """Write profiles into files. Raises OSError."""
    if not files:
        return
    from romproof.report.profiles.files import text_of
    from romproof.support.files import write_atomically

    texts = {path: text_of(name, programs) for name, path in files.items()}
    for path, text in texts.items():
        write_atomically(Path(path), text)
