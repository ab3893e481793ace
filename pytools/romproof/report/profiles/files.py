"""Which format a file of a profile has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from romproof.measure.recorded import RecordedProfile
from romproof.report.profiles.callgrind import callgrind
from romproof.report.profiles.page import page
from romproof.report.profiles.stacks import collapse, speedscope
from romproof.report.profiles.tables import profile_json
from romproof.text.errors import BadInput

FORMATS: Mapping[str, Callable[[Sequence[RecordedProfile]], str]] = {
    "callgrind": callgrind,
    "speedscope": speedscope,
    "collapsed": collapse,
    "html": page,
    "json": profile_json,
}
_ENDINGS = {
    ".speedscope.json": "speedscope",
    ".html": "html",
    ".json": "json",
    ".collapsed": "collapsed",
    ".folded": "collapsed",
    ".callgrind": "callgrind",
}


def text_of(name: str, programs: Sequence[RecordedProfile]) -> str:
    """Profiles in one of FORMATS."""
    return FORMATS[name](programs)


def format_of(path: str) -> str:
    """The format that the name of a file asks for. Raises BadInput."""
    name = PurePath(path).name
    if name.startswith("callgrind.out"):
        return "callgrind"
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            return kind
    raise BadInput(
        f"{path}: the name does not select a format; use a name that ends in "
        f"{', '.join(_ENDINGS)}, or begins with callgrind.out"
    )
