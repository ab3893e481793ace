"""Lines for whoever reads our output."""

from __future__ import annotations

import sys


def echo(message: object = "", err: bool = False, nl: bool = True) -> None:
    """Write a text at once to stdout, or to stderr; the end of a line is added, if ``nl``.

    As click.echo, which is slow to import. Nothing is written where the stream is closed.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return
    stream.write(f"{message}\n" if nl else str(message))
    stream.flush()
