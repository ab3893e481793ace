"""Which romproof this is."""

from __future__ import annotations


def installed_version() -> str:
    """The version of the installed distribution, looked up when it is asked for."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("romproof")
    except PackageNotFoundError:  # running from a source tree that was never installed
        return "0+unknown"
