"""Groups whose commands are imported when they are called, and which Ctrl-C ends with one line.

A command imports what it works with: numpy, assemblers, engines. Who calls one of them, or
completes its name in a shell, does not wait for all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group of commands by name: ``"package.module:attribute"`` each."""

    def __init__(self, *arguments: Any, places: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in alphabetical order."""
        return sorted({*super().list_commands(ctx), *self.places})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name in self.places and cmd_name not in self.commands:
            module, _, attribute = self.places[cmd_name].partition(":")
            self.add_command(getattr(import_module(module), attribute), cmd_name)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command. Raises click.Abort after Ctrl-C.

        click writes an empty line before ours: it is for terminals, that show ^C.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            if sys.stderr.isatty():
                click.echo(err=True)
            raise click.Abort from None
