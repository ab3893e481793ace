"""What a tool of the originals may write to: no file that it reads, and none twice."""

from __future__ import annotations

import os
from collections.abc import Iterable

from romproof.cli.originals.options import BadCommandLine
from romproof.text.paths import Name


def refuse_overwriting(outputs: Iterable[Name], inputs: Iterable[Name]) -> None:
    """Raises BadCommandLine where an output would replace an input, or another output.

    The originals write it: a source is lost, of two outputs one is kept. Devices are neither.
    """
    taken = {os.path.realpath(path): "is an input of the command" for path in inputs}
    for path in outputs:
        why = taken.get(os.path.realpath(path))
        if why is not None and not str(path).startswith("/dev/"):
            raise BadCommandLine(f"cannot write '{path}': this file {why}")
        taken[os.path.realpath(path)] = "is another output of the command"
