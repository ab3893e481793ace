"""Which romproof this is, and which versions of what it uses."""

from __future__ import annotations

from pathlib import Path

UNKNOWN = "0+unknown"


def read_version() -> str:
    """The version of the installed distribution, looked up when it is asked for."""
    return version_of("romproof")


def version_of(distribution: str) -> str:
    """The version of an installed distribution; UNKNOWN where it is not, as in a source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return UNKNOWN


def read_build_note(folder: Path | None = None) -> str:
    """What the build of this wheel noted; "" in a source tree, and so in an editable installation.

    It is "compiled", or "not compiled: " and the reason: ``hatch_build.py`` writes it to
    ``compiled.txt`` in the package's ``folder``.
    """
    from pathlib import Path

    package = folder or Path(__file__).parents[1]
    try:
        return (package / "compiled.txt").read_text("utf-8").strip()
    except FileNotFoundError:
        return ""
