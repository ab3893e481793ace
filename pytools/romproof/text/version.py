"""Which romproof this is, and which versions of what it uses."""

from __future__ import annotations

UNKNOWN = "0+unknown"


def installed_version() -> str:
    """The version of the installed distribution, looked up when it is asked for."""
    return version_of("romproof")


def version_of(distribution: str) -> str:
    """The version of an installed distribution; UNKNOWN where it is not, as in a source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return UNKNOWN
