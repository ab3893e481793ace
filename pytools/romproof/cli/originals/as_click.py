"""The originals' tools as commands of click, for the help and for whoever calls the group."""

from __future__ import annotations

from collections.abc import Sequence

import click

from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import HelpWanted


class OriginalCommand(click.Command):
    """A tool with the command line of an original: click is not asked how to read it."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(
            tool.name, callback=tool.carry_out, help=tool.run.__doc__, add_help_option=False
        )
        self.tool = tool

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words as they are."""
        ctx.params["words"] = list(args)
        return []

    def invoke(self, ctx: click.Context) -> int:
        """Run the tool, or show its help."""
        words: Sequence[str] = ctx.params["words"]
        try:
            return self.tool.carry_out(words)
        except HelpWanted:
            click.echo(self.get_help(ctx))
            return 0

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The usage line."""
        formatter.write_usage(ctx.command_path, self.tool.usage)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options that have a line of help."""
        rows = []
        for option in self.tool.options:
            if option.help:
                names = [f"-{option.short}"] if option.short else []
                names += [f"--{option.long}"] if option.long else []
                rows.append((f"{', '.join(names)} {option.argument}".rstrip(), option.help))
        if rows:  # ar65 has none, and click makes no list of nothing
            with formatter.section("Options"):
                formatter.write_dl(rows)
