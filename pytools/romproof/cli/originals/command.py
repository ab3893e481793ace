"""A tool with an original's command line: its name, its table of options, its work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from romproof.cli.originals.options import BadCommandLine, Option
from romproof.cli.output import error


@dataclass(frozen=True)
class Tool:
    """``romproof NAME ...`` with the command line of the tool NAME.

    ``run`` gets all words and gives the exit code; its docstring is the help text, and ``usage``
    its first line.
    """

    name: str
    run: Callable[[Sequence[str]], int]
    options: Sequence[Option]
    usage: str

    def carry_out(self, words: Sequence[str]) -> int:
        """Run the tool; a wrong command line is reported with where help is, and gives 2.

        Raises HelpWanted.
        """
        try:
            return self.run(words)
        except BadCommandLine as fault:
            error(f"{fault}; see 'romproof {self.name} --help'")
            return 2


def load_tool(name: str) -> Tool:
    """The tool of that name, one of TOOLS."""
    tool: Tool = import_module(f"romproof.cli.originals.{name}").COMMAND
    return tool
