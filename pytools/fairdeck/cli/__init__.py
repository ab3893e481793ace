"""The command line of fairdeck. One file for each command; here is the way in and out.

Exit codes and the treatment of failures are romproof's.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairdeck.cli.group import fairdeck

__all__ = ["fairdeck", "main", "run"]


def main() -> None:
    """The command ``fairdeck``."""
    fairdeck.launch()


def run(args: Sequence[str]) -> int:
    """Carry out a command line; gives the exit code, every failure told on stderr."""
    return fairdeck.run(args)
