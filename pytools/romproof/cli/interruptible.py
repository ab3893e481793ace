"""A group of commands that Ctrl-C ends with one line."""

from __future__ import annotations

import sys
from typing import Any

import click


class InterruptibleGroup(click.Group):
    """As click's, which writes an empty line before ours: it is for terminals, that show ^C."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command. Raises click.Abort after Ctrl-C."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                click.echo(err=True)
            raise click.Abort from None
