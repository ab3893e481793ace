"""The command line. One file for each command; here is the way in and out.

Exit codes (docs/exit-codes.md): 0 all is well, 1 something failed, 2 the command line is wrong,
130 interrupted. Nothing a user can cause ends in a traceback.

Names are imported when they are asked for: the tools with an original's command line are started
once for each source, and do not need what reads the others' (decision 0046).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from romproof.cli.originals import TOOLS

if TYPE_CHECKING:
    from romproof.cli.entry import launch as launch
    from romproof.cli.entry import run as run
    from romproof.cli.entry import run_guarded as run_guarded
    from romproof.cli.group import romproof as romproof


_OF_ENTRY = ("launch", "romproof", "run", "run_guarded")


def main() -> None:
    """The command ``romproof``."""
    words = sys.argv[1:]
    if words and words[0] in TOOLS:
        import gc

        gc.disable()  # before anything is imported: there is nothing to collect
        from romproof.cli.originals.start import start

        start(words)
    else:
        from romproof.cli.entry import main as main_of_all

        main_of_all()


def __getattr__(name: str) -> object:
    if name not in _OF_ENTRY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from romproof.cli import entry

    return getattr(entry, name)
