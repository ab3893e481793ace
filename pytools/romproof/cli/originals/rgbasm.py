"""``romproof rgbasm``: the assembler with the command line of RGBDS's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import (
    FILE,
    BadCommandLine,
    Option,
    byte_argument,
    parse,
    whole_number,
)
from romproof.cli.originals.command import (
    COLOUR,
    DIALECT,
    HelpWanted,
    Tool,
    backtrace,
    choose_colour,
    display_name,
    read_dialect,
    show_version,
    standard_input,
    write_outputs,
)
from romproof.support.reading import MAX_TEXT, read_input
from romproof.text.diagnostic import MAX_ERRORS, Diagnostics

if TYPE_CHECKING:
    from romproof.toolchains.rgbds.asm.options import RgbdsOptions


_PAD = Option("p", "pad-value", "VALUE", "Fill byte of DS; default: 0.")
_OR = "or pass '--dialect 0.6' (0.5) for its meaning there"
OPTIONS = (
    Option("B", "backtrace", "PARAM", "Format of backtraces: 'all' shows quiet entries, too."),
    Option("b", "binary-digits", "CHARS", "Two more characters for binary numbers."),
    DIALECT,
    Option("D", "define", "NAME[=VALUE]", "Define a string symbol; the value is 1 without one."),
    Option("E", "export-all", help="Export all labels."),
    Option("g", "gfx-chars", "CHARS", "Four more characters for graphics numbers."),
    Option("H", gone=f"write the NOP behind HALT, leave '-H' out, {_OR}"),
    Option("h", "help", help="Show this text."),
    Option("I", "include", "DIR", "A folder for INCLUDE, INCBIN and READFILE."),
    Option("L", gone=f"0.7.0 is the last that has it; leave it out, {_OR}"),
    Option("l", gone=f"write LDH for LD, leave '-l' out, {_OR}"),
    Option("M", "dependfile", "FILE", "Write rules for make."),
    Option("", "MC", help="With -M: a missing file is a dependency; continue without it."),
    Option("", "MG", help="With -M: a missing file is a dependency; stop there."),
    Option("", "MP", help="With -M: also write a rule for each file, so that it may vanish."),
    Option("", "MQ", "TARGET", "As -MT, with '$' doubled."),
    Option("", "MT", "TARGET", "The target of the rules; default: the output."),
    Option("o", "output", "FILE", "Write the object; without it, only check."),
    Option("P", "preinclude", "FILE", "INCLUDE this file first."),
    _PAD,
    Option("Q", "q-precision", "BITS", "Fraction bits of fixed-point numbers; default: 16."),
    Option("r", "recursion-depth", "DEPTH", "Maximum depth of recursion; default: 64."),
    Option("s", "state", "FEATURES:FILE", "Write symbols as source: equ,var,equs,char,macro,all."),
    Option("V", "version", help="Show the version."),
    Option("v", "verbose", help="Report progress on stderr."),
    Option("W", "warning", "NAME", "Switch a warning on; -Wno-NAME off, -Werror makes errors."),
    Option("w", help="No warnings."),
    Option("X", "max-errors", "N", "Stop after this many errors; 0: never."),
    COLOUR,
)
_OLD = {
    "h": Option("h", "halt-without-nop", help="No NOP follows HALT."),
    "L": Option("L", "preserve-ld", help="LD stays LD, also for addresses from $FF00 on."),
    "H": Option("H", "nop-after-halt", help="A NOP follows HALT (the default)."),
    "l": Option("l", "auto-ldh", help="LD is LDH from $FF00 on (the default)."),
    "i": Option("i", "include", "DIR", "As -I."),
}
"""Options that mean something else, or something, in a dialect."""
_OLD_OPTIONS = (*(o for o in OPTIONS if o.short not in (*_OLD, "I")), *_OLD.values())
_OLD_OPTIONS += (Option("I", "", "DIR", "A folder for INCLUDE and INCBIN."),)
_FEATURES = ("equ", "var", "equs", "char", "macro")
"""What a state file may hold."""
_HIGHEST_DEPTH = (1 << 64) - 1
"""Of -r, as RGBDS takes it."""


@dataclass(slots=True)
class _Words:
    """What the command line says."""

    source: str | None = None
    flags: set[str] = field(default_factory=set)
    paths: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    digits: dict[str, str] = field(default_factory=dict)
    targets: list[str] = field(default_factory=list)
    show_quiet: bool = False
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dialect: str | None = None


def run(words: Sequence[str]) -> int:
    """Assemble one file for the Game Boy, as rgbasm of RGBDS 1.0.3 does.

    The object, options and exit codes are those of rgbasm(1); '-' is standard
    input or output, '@FILE' stands for the words in FILE. When anything fails,
    no object is written.

    \b
    Examples:
      romproof rgbasm -o main.o main.asm
      romproof rgbasm -Wall -I src/ -D DEBUG -M main.d -o main.o src/main.asm
      romproof rgbasm --dialect 0.5 -h -L -o main.o main.asm   a source for RGBDS 0.5
      make RGBASM="romproof rgbasm" RGBLINK="romproof rgblink" RGBFIX="romproof rgbfix"
    """
    from romproof.cli.output import show_diagnostics

    diagnostics = Diagnostics(limit=sys.maxsize)  # -X is what limits errors
    said = _Words()
    try:
        _read_words(words, said, diagnostics)
        if "V" in said.flags:
            show_version("rgbasm")
            return 0
        _check_help(said)
        _check_words(said)
    except BadCommandLine:
        show_diagnostics(diagnostics.items)
        raise
    _assemble(said, diagnostics)
    show_diagnostics(diagnostics.items)
    if "v" in said.flags:
        echo(f"rgbasm: {said.source} assembled", err=True)
    return 0


def _check_help(said: _Words) -> None:
    """``-h`` is help; makefiles for RGBDS up to 0.5 mean something else by it."""
    if "h" not in said.flags or said.dialect is not None:
        return
    if said.source is not None or "o" in said.paths:
        raise BadCommandLine(
            "'-h' shows help, and assembles nothing; up to RGBDS 0.7.0 it said that no NOP follows "
            "HALT, which is always so now: leave it out, or "
            "pass '--dialect 0.5' for the old meaning"
        )
    raise HelpWanted


def _check_words(said: _Words) -> None:
    if said.source is None:
        raise BadCommandLine("no source was given (pass '-' to read from standard input)")
    if "o" in said.paths and not said.targets:
        said.targets.append(said.paths["o"])
    if "M" in said.paths and not said.targets:
        raise BadCommandLine("'-M' needs a target for its rules: -o, -MT or -MQ")


def _assemble(said: _Words, diagnostics: Diagnostics) -> None:
    from romproof.toolchains.rgbds.asm.assembler import assemble_source
    from romproof.toolchains.rgbds.asm.contexts import source_text
    from romproof.toolchains.rgbds.asm.state import state_text
    from romproof.toolchains.rgbds.obj.rgb9_write import write_object

    mentioned: list[str] = []
    name = said.source or "-"
    data = standard_input() if name == "-" else read_input(name, MAX_TEXT)
    outputs: list[tuple[str, bytes | str]] = []
    try:
        source = source_text(display_name(name), data)
        made = assemble_source(source, _options(said, mentioned), diagnostics)
        if made.object is not None:
            if "o" in said.paths:
                outputs.append((said.paths["o"], write_object(made.object)))
            for path, features in said.states.items():
                text = state_text(made.assembly, features)
                outputs.append((path, text.encode("latin-1")))  # a character for each byte
    finally:
        # make wants to know the files of a source that has errors, too
        if "M" in said.paths:
            rules = _rules(" ".join(said.targets), name, mentioned, "MP" in said.flags)
            outputs.insert(0, (said.paths["M"], rules))
        write_outputs(outputs)


def _rules(target: str, source: str, mentioned: Iterable[str], phony: bool) -> str:
    lines = [f"{target}: {source}"]
    for path in mentioned:
        lines.append(f"{target}: {path}")
        if phony and Path(path).is_file():
            lines.append(f"{path}:")
    return "\n".join(lines) + "\n"


def _options(said: _Words, mentioned: list[str]) -> RgbdsOptions:
    from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions

    if said.dialect is not None:
        from romproof.toolchains.rgbds.asm.dialect import DIALECTS

    def say(text: str) -> None:
        # strings may hold bytes that are no text
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))

    sys.stdout.flush()
    missing = MissingInclude.ERROR
    if "MC" in said.flags or "MG" in said.flags:
        missing = MissingInclude.CONTINUE if "MC" in said.flags else MissingInclude.EXIT
    defines = (word.partition("=") for word in said.lists.get("D", []))
    errors = said.numbers.get("X", MAX_ERRORS if sys.stderr.isatty() else 0)
    return RgbdsOptions(
        defines=tuple((name, value if equals else "1") for name, equals, value in defines),
        include=tuple(map(Path, said.lists.get("I", []))),
        preinclude=tuple(map(Path, said.lists.get("P", []))),
        warnings=tuple(said.lists.get("W", [])),
        no_warnings="w" in said.flags,
        binary_digits=said.digits.get("b", "01"),
        gfx_digits=said.digits.get("g", "0123"),
        pad=said.numbers.get("p", 0),
        precision=said.numbers.get("Q", 16),
        recursion_depth=said.numbers.get("r", 64),
        export_all="E" in said.flags,
        show_quiet=said.show_quiet,
        max_errors=errors or None,
        out=say,
        reading=mentioned.append,
        missing_include=missing,
        lines=False,
        dialect=DIALECTS[said.dialect] if said.dialect is not None else None,
        nop_after_halt=said.dialect is not None and "h" not in said.flags,
        load_high=said.dialect is not None and "L" not in said.flags,
    )


def _read_words(words: Sequence[str], said: _Words, diagnostics: Diagnostics) -> None:
    said.dialect = read_dialect(words)
    for key, argument in parse(words, OPTIONS if said.dialect is None else _OLD_OPTIONS):
        key = "I" if key == "i" else key
        if key == FILE:
            if said.source is not None:
                raise BadCommandLine("more than one source was given")
            said.source = argument
        elif key in "DIPW":
            said.lists.setdefault(key, []).append(argument)
        elif key in "oM":
            if key in said.paths:
                old = said.paths[key]
                diagnostics.warning(f"'-{key} {argument}' is used instead of '-{key} {old}'")
            said.paths[key] = argument
        elif key in "bg":
            count = 2 if key == "b" else 4
            if len(argument) != count:
                raise BadCommandLine(f"'-{key}' takes {count} characters, not '{argument}'")
            said.digits[key] = argument
        elif key in "pQrX":
            said.numbers[key] = _number(key, argument)
        elif key in ("MT", "MQ"):
            said.targets.append(argument if key == "MT" else argument.replace("$", "$$"))
        elif key == "s":
            _state(argument, said.states, diagnostics)
        elif key == "B":
            said.show_quiet = backtrace(argument, said.show_quiet)
        elif key == COLOUR.key:
            choose_colour(argument)
        elif key == DIALECT.key:
            continue  # it was looked for before
        else:
            said.flags.add(key)


def _number(key: str, argument: str) -> int:
    if key == "p":
        return byte_argument(_PAD, argument)
    value = whole_number(argument.removeprefix(".") if key == "Q" else argument)
    if value is None:
        raise BadCommandLine(f"the argument of '-{key}' is not a number: '{argument}'")
    if key == "Q" and not 1 <= value <= 31:
        raise BadCommandLine(f"the argument of '-Q' must be within 1..31: '{argument}'")
    if value > _HIGHEST_DEPTH:
        raise BadCommandLine(f"the argument of '-{key}' is too high: '{argument}'")
    return value


def _state(argument: str, states: dict[str, tuple[str, ...]], diagnostics: Diagnostics) -> None:
    """Take ``-s equ,var:FILE``."""
    wanted, colon, path = argument.partition(":")
    if not colon:
        raise BadCommandLine(f"'-s {argument}' names no file; write -s FEATURES:FILE")
    features: list[str] = []
    for word in wanted.split(","):
        feature = word.strip(" \t").lower()
        if feature == "all":
            if features:
                diagnostics.warning(f"'-s {wanted}': 'all' includes all other features")
            features = list(_FEATURES)
        elif feature not in _FEATURES:
            known = ", ".join((*_FEATURES, "all"))
            raise BadCommandLine(f"'-s {argument}': '{feature}' is not one of {known}")
        elif feature in features:
            diagnostics.warning(f"'-s {wanted}': '{feature}' is there twice")
        else:
            features.append(feature)
    if path in states:
        diagnostics.warning(f"'-s {argument}' replaces the earlier output to '{path}'")
    states[path] = tuple(features)


COMMAND = Tool("rgbasm", run, OPTIONS, "[OPTIONS] FILE")
