"""``romproof od65``: what is in object files, under the original's command line."""

from __future__ import annotations

from collections.abc import Sequence

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import FILE, BadCommandLine, Option
from romproof.cli.originals.cc65_arguments import VERSION, parse
from romproof.cli.originals.command import HelpWanted, Tool
from romproof.support.reading import read_input
from romproof.support.version import read_version
from romproof.toolchains.ca65.obj.decode import decode_object
from romproof.toolchains.ca65.obj.dump import DUMPS
from romproof.toolchains.ca65.obj.tables import OBJECT_MAGIC

_HELP = {
    "header": "The header with the offsets of tables.",
    "options": "Options of the module.",
    "files": "The sources.",
    "segments": "The segments.",
    "imports": "Symbols of other modules.",
    "exports": "Symbols for other modules.",
    "dbgsyms": "Symbols for debuggers.",
    "lineinfo": "The lines of the sources.",
    "scopes": "The scopes.",
    "segsize": "The sizes of the segments.",
}
_SHORT = {"H": "dump-header", "S": "dump-segsize"}
OPTIONS = (
    Option("", "dump-all", "", "All of the following."),
    *(
        Option({"header": "H", "segsize": "S"}.get(word, ""), f"dump-{word}", "", _HELP[word])
        for word in DUMPS
    ),
    Option("V", "version", "", "Show the version."),
    Option("h", "help", "", "Show this text."),
)


def run(words: Sequence[str]) -> int:
    """Tell what is in the object files FILE ..., as od65 2.19 does.

    Options count for the files behind them. Files of other kinds are said to be no objects.

    \b
    Examples:
      romproof od65 --dump-all main.o
      romproof od65 -S *.o
    """
    wanted: set[str] = set()
    seen = False
    for key, argument in parse(words, OPTIONS):
        word = _SHORT.get(key, key).removeprefix("dump-")
        if key == "V":
            echo(f"od65 V{VERSION} - romproof {read_version()}", err=True)
            return 0
        if key == "h":
            raise HelpWanted
        if key == FILE:
            _dump(argument, wanted)
            seen = True
        else:
            wanted |= set(DUMPS) if word == "all" else {word}
    if not seen:
        raise BadCommandLine("there are no object files to look at")
    return 0


def _dump(name: str, wanted: set[str]) -> None:
    try:
        data = read_input(name)
    except OSError as fault:
        raise BadCommandLine(f"cannot open '{name}': {fault.strerror}") from None
    if not data.startswith(OBJECT_MAGIC):
        echo(f"{name}: (no xo65 object file)")
    elif not wanted:
        echo(f"{name}: (no information requested)")
    else:
        tables = decode_object(data, name)
        text = "".join(DUMPS[word](data, tables) for word in DUMPS if word in wanted)
        echo(f"{name}:\n{text}", nl=False)


COMMAND = Tool("od65", run, OPTIONS, "[OPTIONS] FILE...")
