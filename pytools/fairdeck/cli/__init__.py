"""The command line of fairdeck. One file for each command; here is the way in and out.

Exit codes and the treatment of failures are romproof's (see romproof.cli).
"""

from __future__ import annotations

from collections.abc import Sequence

from fairdeck.cli.group import fairdeck
from romproof.cli import guarded, launch

__all__ = ["fairdeck", "main", "run"]


def main() -> None:
    """The command ``fairdeck``."""
    launch(fairdeck, "fairdeck")


def run(args: Sequence[str]) -> int:
    """Carry out a command line; gives the exit code, every failure told on stderr."""
    return guarded(fairdeck, args, "fairdeck")
