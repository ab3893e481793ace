"""The calls of assemblers and linkers that build files have, with the tools' own readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from romproof.cli.originals import (
    TOOLS,
    ca65,
    cc65_arguments,
    cl65,
    ld65,
    rgbasm,
    rgbds_arguments,
    rgbfix,
    rgblink,
)
from romproof.cli.originals.options import BadCommandLine, Option, Syntax
from romproof.cli.starting.makefile import Makefile, read_makefile

_READERS: Mapping[str, tuple[Sequence[Option], Syntax]] = {
    "ca65": (ca65.OPTIONS, cc65_arguments.parse),
    "ld65": (ld65.OPTIONS, cc65_arguments.parse),
    "cl65": (cl65.OPTIONS, cc65_arguments.parse),
    "rgbasm": (rgbasm.OPTIONS, rgbds_arguments.parse),
    "rgblink": (rgblink.OPTIONS, rgbds_arguments.parse),
    "rgbfix": (rgbfix.OPTIONS, rgbds_arguments.parse),
}
_SYMBOLS = {"ca65": ("-g", ""), "ld65": ("--dbgfile", "{}.dbg"), "rgblink": ("-n", "{}.sym")}
"""The options that ask for symbols."""
RGBDS = ("rgbasm", "rgblink", "rgbfix")
LINKERS = ("ld65", "cl65", "rgblink")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
SCRIPTS = (".sh", ".bat", ".cmd")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A command line of a tool: pairs of an option's letter ("" for a file) and its argument.

    ``file`` is the makefile or script, ``target`` what the rule makes, "" in scripts.
    """

    tool: str
    words: tuple[tuple[str, str], ...]
    file: Path
    target: str = ""

    def all(self, key: str) -> list[str]:
        """The arguments of an option, in order; of "" the files."""
        return [argument for known, argument in self.words if known == key]

    def last(self, key: str) -> str | None:
        """The last argument of an option; None without it."""
        return next(iter(self.all(key)[::-1]), None)


@dataclass(frozen=True, slots=True)
class BuildFile:
    """A makefile or a script with the calls in it; ``makefile`` is None for a script.

    ``has_prefix``: RGBDS stands before the names of the tools.
    """

    path: Path
    calls: tuple[ToolCall, ...]
    makefile: Makefile | None
    has_prefix: bool = False

    @property
    def tools(self) -> list[str]:
        """The tools that it calls, each once."""
        return list(dict.fromkeys(call.tool for call in self.calls))

    def command(self, target: str) -> str:
        """How the makefile makes a target with the tools of romproof, where it has variables for
        them; with debug information or symbols, for which it may not ask."""
        if self.makefile is None:
            return f"sh {self.path.name}" if self.path.suffix == ".sh" else self.path.name
        words = ["make"]
        if self.has_prefix and self._with_symbols("rgblink", "") == "romproof rgblink":
            return " ".join([*words, "RGBDS='romproof '", target]).rstrip()
        for name, value in self.makefile.variables.items():
            tool = _tool_of(self.makefile.expand(value).split()[-1:])
            if tool is not None and name.isupper():
                words.append(f"{name}='{self._with_symbols(tool, PurePosixPath(target).stem)}'")
        return " ".join([*words, target]).rstrip()

    def _with_symbols(self, tool: str, stem: str) -> str:
        option, argument = _SYMBOLS.get(tool, ("", ""))
        key = option.lstrip("-")
        if not option or any(call.last(key) is not None for call in self.calls):
            return f"romproof {tool}"
        return " ".join(["romproof", tool, option, *filter(None, [argument.format(stem)])])


def read_build_file(path: Path, text: str) -> BuildFile:
    """The calls in a makefile or a script."""
    if path.suffix.lower() in SCRIPTS:
        lines = (line.replace("^\n", " ") for line in text.splitlines())
        made = (_call_of(line.split(), path, "") for line in lines)
        return BuildFile(path, tuple(call for call in made if call is not None), None)
    makefile = read_makefile(text, path.parent)
    return BuildFile(path, tuple(_calls(makefile, path)), makefile, "(RGBDS)rgb" in text)


def _calls(makefile: Makefile, path: Path) -> Iterator[ToolCall]:
    for rule, words in makefile.commands():
        for target in rule.targets[-1:]:
            call = _call_of(words, path, target)
            if call is not None:
                yield call


def _tool_of(words: Sequence[str]) -> str | None:
    """The tool that a command begins with, by whatever path."""
    if not words:
        return None
    name = PurePosixPath(words[0].replace("\\", "/")).name.lower().removesuffix(".exe")
    return name if name in TOOLS else None


def _call_of(words: list[str], path: Path, target: str) -> ToolCall | None:
    if words[:1] == ["romproof"]:
        words = words[1:]
    tool = _tool_of(words)
    if tool is None or tool not in _READERS:
        return None
    options, parse = _READERS[tool]
    read: list[tuple[str, str]] = []
    try:
        for pair in parse([word for word in words[1:] if not word.startswith("@")], options):
            read.append(pair)
    except BadCommandLine:
        pass  # what was understood so far is told
    return ToolCall(tool, tuple(read), path, target)
