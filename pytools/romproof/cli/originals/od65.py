"""``romproof od65``: what is in object files, under the original's command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from romproof.cli.echo import echo
from romproof.cli.originals.cc65_arguments import VERSION, parse, show_version
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import HELP, BadCommandLine, Option, ToolSettings, operand, read
from romproof.cli.originals.setters import Setter
from romproof.support.reading import read_input
from romproof.text.errors import RomproofError
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.dump import DUMPS
from romproof.toolchains.ca65.obj.tables import OBJECT_MAGIC


@dataclass(frozen=True)
class _Settings(ToolSettings):
    """What is told of the files to come, and whether there was one."""

    wanted: frozenset[str] = frozenset()
    seen: bool = False


def _want(*words: str) -> Setter:
    return lambda settings, *_: replace(settings, wanted=settings.wanted.union(words))


def _dump(settings: _Settings, _: str, name: str) -> _Settings:
    try:
        data = read_input(name)
    except OSError as fault:
        raise RomproofError(f"cannot open '{name}': {fault.strerror}") from None
    if not data.startswith(OBJECT_MAGIC):
        echo(f"{name}: (no xo65 object file)")
    elif not settings.wanted:
        echo(f"{name}: (no information requested)")
    else:
        tables = decode_object(data, name)
        dumps = (DUMPS[word](data, tables) for word in DUMPS if word in settings.wanted)
        echo(f"{name}:\n{''.join(dumps)}", nl=False)
    return replace(settings, seen=True)


OPTIONS = (
    operand(_dump),
    Option("--dump-all", _want(*DUMPS), "All of the following."),
    Option("-H --dump-header", _want("header"), "The header with the offsets of tables."),
    Option("--dump-options", _want("options"), "Options of the module."),
    Option("--dump-files", _want("files"), "The sources."),
    Option("--dump-segments", _want("segments"), "The segments."),
    Option("--dump-imports", _want("imports"), "Symbols of other modules."),
    Option("--dump-exports", _want("exports"), "Symbols for other modules."),
    Option("--dump-dbgsyms", _want("dbgsyms"), "Symbols for debuggers."),
    Option("--dump-lineinfo", _want("lineinfo"), "The lines of the sources."),
    Option("--dump-scopes", _want("scopes"), "The scopes."),
    Option("-S --dump-segsize", _want("segsize"), "The sizes of the segments."),
    VERSION,
    HELP,
)


def run(words: Sequence[str]) -> int:
    """Tell what is in the object files FILE ..., as od65 2.19 does.

    Options count for the files behind them. Files of other kinds are said to be no objects.

    \b
    Examples:
      romproof od65 --dump-all main.o
      romproof od65 -S *.o
    """
    settings = read(words, OPTIONS, _Settings(), parse)
    if settings.version:
        return show_version("od65")
    if not settings.seen:
        raise BadCommandLine("there are no object files to look at")
    return 0


COMMAND = Tool("od65", run, OPTIONS, "[OPTIONS] FILE...")
