"""The command line of fairdeck. One file for each command; here is the way in and out.

Exit codes: 0 all is well, 1 something failed, 2 the command line is wrong,
130 interrupted. Nothing a user can cause ends in a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fairdeck.cli.group import fairdeck
from romproof.cli import guarded

__all__ = ["fairdeck", "main", "run"]


def main() -> None:
    """The command ``fairdeck``."""
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Carry out a command line; gives the exit code, every failure told on stderr."""
    return guarded(fairdeck, args, "fairdeck")
