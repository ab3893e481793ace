"""``romproof rgbasm``: the assembler with the command line of RGBDS's."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from romproof.cli.echo import echo
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import (
    LONG_HELP,
    BadCommandLine,
    HelpWanted,
    Option,
    operand,
    read,
)
from romproof.cli.originals.rgbds_arguments import byte, number, parse
from romproof.cli.originals.rgbds_files import display_name, read_file, write_outputs
from romproof.cli.originals.rgbds_options import (
    COLOUR,
    DIALECT,
    VERBOSE,
    VERSION,
    RgbdsSettings,
    backtrace,
    output_file,
    read_dialect,
    show_version,
    warning,
)
from romproof.cli.originals.setters import Converter, append, ignore, put, switch
from romproof.cli.output import show_diagnostics
from romproof.support.reading import MAX_TEXT
from romproof.text.diagnostic import MAX_ERRORS, Diagnostics
from romproof.toolchains.rgbds.asm.options import MissingInclude, RgbdsOptions


@dataclass(frozen=True)
class _Settings(RgbdsSettings, RgbdsOptions):
    """What the command line says: the assembler's options, and what to do with its results.

    ``targets`` are those of the rules for make, ``states`` has the features of each state file.
    """

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    source: str | None = None
    output: str | None = None
    help: bool = False
    rules: str | None = None
    phony: bool = False
    targets: tuple[str, ...] = ()
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_FEATURES = ("equ", "var", "equs", "char", "macro")
"""What a state file may hold."""
_HIGHEST_DEPTH = (1 << 64) - 1
"""Of -r, as RGBDS takes it."""


def _source(settings: _Settings, _: str, name: str) -> _Settings:
    if settings.source is not None:
        raise BadCommandLine("more than one source was given")
    return replace(settings, source=name)


def _path(_: str, text: str) -> Path:
    return Path(text)


def _definition(_: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    return name, value if equals else "1"


def _characters(count: int) -> Converter:
    def convert(name: str, text: str) -> str:
        if len(text) != count:
            raise BadCommandLine(f"'{name}' takes {count} characters, not '{text}'")
        return text

    return convert


def _precision(name: str, text: str) -> int:
    value = number(name, text, text.removeprefix("."))
    if not 1 <= value <= 31:
        raise BadCommandLine(f"the argument of '{name}' must be within 1..31: '{text}'")
    return value


def _depth(name: str, text: str) -> int:
    value = number(name, text)
    if value > _HIGHEST_DEPTH:
        raise BadCommandLine(f"the argument of '{name}' is too high: '{text}'")
    return value


def _stop_at_missing(settings: _Settings, *_: str) -> _Settings:
    """-MG; -MC goes before it."""
    if settings.missing_include is MissingInclude.CONTINUE:
        return settings
    return replace(settings, missing_include=MissingInclude.EXIT)


def _doubled(_: str, target: str) -> str:
    return target.replace("$", "$$")


def _state(settings: _Settings, _: str, argument: str) -> _Settings:
    """Take ``-s equ,var:FILE``."""
    diagnostics = settings.diagnostics
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
    if path in settings.states:
        diagnostics.warning(f"'-s {argument}' replaces the earlier output to '{path}'")
    return replace(settings, states={**settings.states, path: tuple(features)})


_OR = "or pass '--dialect 0.6' (0.5) for its meaning there"
OPTIONS = (
    operand(_source),
    backtrace("show_quiet"),
    Option("-b --binary-digits CHARS", put("binary_digits", _characters(2)),
           "Two more characters for binary numbers."),
    DIALECT,
    Option("-D --define NAME[=VALUE]", append("defines", _definition),
           "Define a string symbol; the value is 1 without one."),
    Option("-E --export-all", switch("export_all"), "Export all labels."),
    Option("-g --gfx-chars CHARS", put("gfx_digits", _characters(4)),
           "Four more characters for graphics numbers."),
    Option("-H", gone=f"write the NOP behind HALT, leave '-H' out, {_OR}"),
    Option("-h --help", switch("help"), "Show this text."),
    Option("-I --include DIR", append("include", _path),
           "A folder for INCLUDE, INCBIN and READFILE."),
    Option("-i", gone=f"write '-I DIR', {_OR}"),
    Option("-L", gone=f"0.7.0 is the last that has it; leave it out, {_OR}"),
    Option("-l", gone=f"write LDH for LD, leave '-l' out, {_OR}"),
    Option("-M --dependfile FILE", output_file("rules"), "Write rules for make."),
    Option("--MC", switch("missing_include", to=MissingInclude.CONTINUE),
           "With -M: a missing file is a dependency; continue without it."),
    Option("--MG", _stop_at_missing, "With -M: a missing file is a dependency; stop there."),
    Option("--MP", switch("phony"),
           "With -M: also write a rule for each file, so that it may vanish."),
    Option("--MQ TARGET", append("targets", _doubled), "As -MT, with '$' doubled."),
    Option("--MT TARGET", append("targets"), "The target of the rules; default: the output."),
    Option("-o --output FILE", output_file("output"), "Write the object; without it, only check."),
    Option("-P --preinclude FILE", append("preinclude", _path), "INCLUDE this file first."),
    Option("-p --pad-value VALUE", put("pad", byte), "Fill byte of DS; default: 0."),
    Option("-Q --q-precision BITS", put("precision", _precision),
           "Fraction bits of fixed-point numbers; default: 16."),
    Option("-r --recursion-depth DEPTH", put("recursion_depth", _depth),
           "Maximum depth of recursion; default: 64."),
    Option("-s --state FEATURES:FILE", _state,
           "Write symbols as source: equ,var,equs,char,macro,all."),
    VERSION,
    VERBOSE,
    warning(append("warnings")),
    Option("-w", switch("no_warnings"), "No warnings."),
    Option("-X --max-errors N", put("max_errors", _depth),
           "Stop after this many errors; 0: never."),
    COLOUR,
)  # fmt: skip
_OLD = (
    Option("-h --halt-without-nop", switch("nop_after_halt", to=False), "No NOP follows HALT."),
    Option("-L --preserve-ld", switch("load_high", to=False),
           "LD stays LD, also for addresses from $FF00 on."),
    Option("-H --nop-after-halt", ignore, "A NOP follows HALT (the default)."),
    Option("-l --auto-ldh", ignore, "LD is LDH from $FF00 on (the default)."),
    Option("-i --include DIR", append("include", _path), "As -I."),
    Option("-I DIR", append("include", _path), "A folder for INCLUDE and INCBIN."),
)  # fmt: skip
"""Options that mean something else, or something, in a dialect."""
_OLD_OPTIONS = (
    *(o for o in OPTIONS if o.short not in {old.short for old in _OLD}),
    *_OLD,
    LONG_HELP,
)


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
    release = read_dialect(words, _OLD_OPTIONS)
    diagnostics = Diagnostics(limit=sys.maxsize)  # -X is what limits errors
    settings = _Settings(
        diagnostics=diagnostics,
        release=release,
        nop_after_halt=release is not None,
        load_high=release is not None,
        max_errors=MAX_ERRORS if sys.stderr.isatty() else None,
        lines=False,
    )
    try:
        settings = read(words, _OLD_OPTIONS if release else OPTIONS, settings, parse)
        if settings.version:
            return show_version("rgbasm")
        settings = _checked(settings)
    except BadCommandLine:
        show_diagnostics(diagnostics.items)
        raise
    _assemble(settings)
    show_diagnostics(diagnostics.items)
    if settings.verbose:
        echo(f"rgbasm: {settings.source} assembled", err=True)
    return 0


def _checked(settings: _Settings) -> _Settings:
    """The settings, with a target for the rules; ``-h`` is help, which makefiles for RGBDS up to
    0.5 mean otherwise."""
    if settings.help and (settings.source is not None or settings.output is not None):
        raise BadCommandLine(
            "'-h' shows help, and assembles nothing; up to RGBDS 0.7.0 it said that no NOP follows "
            "HALT, which is always so now: leave it out, or "
            "pass '--dialect 0.5' for the old meaning"
        )
    if settings.help:
        raise HelpWanted
    if settings.source is None:
        raise BadCommandLine("no source was given (pass '-' to read from standard input)")
    if settings.output is not None and not settings.targets:
        return replace(settings, targets=(settings.output,))
    if settings.rules is not None and not settings.targets:
        raise BadCommandLine("'-M' needs a target for its rules: -o, -MT or -MQ")
    return settings


def _assemble(settings: _Settings) -> None:
    from romproof.toolchains.rgbds.asm.assembler import assemble_source
    from romproof.toolchains.rgbds.asm.contexts import source_text
    from romproof.toolchains.rgbds.asm.state import state_text
    from romproof.toolchains.rgbds.obj.rgb9_write import write_object

    mentioned: list[str] = []
    name = "-" if settings.source is None else settings.source
    source = source_text(display_name(name), read_file(name, MAX_TEXT))
    outputs: list[tuple[str, bytes | str]] = []
    try:
        options = _options(settings, mentioned)
        made = assemble_source(source, options, settings.diagnostics)
        if made.object is not None:
            if settings.output is not None:
                outputs.append((settings.output, write_object(made.object)))
            for path, features in settings.states.items():
                text = state_text(made.assembly, features)
                outputs.append((path, text.encode("latin-1")))  # a character for each byte
    finally:
        # make wants to know the files of a source that has errors, too
        if settings.rules is not None:
            rules = _rules(" ".join(settings.targets), name, mentioned, settings.phony)
            outputs.insert(0, (settings.rules, rules))
        write_outputs(outputs, [name, *mentioned])


def _options(settings: _Settings, mentioned: list[str]) -> RgbdsOptions:
    """The assembler's options with what it calls, and with the dialect."""

    def say(text: str) -> None:
        # strings may hold bytes that are no text
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))

    sys.stdout.flush()
    options = replace(settings, out=say, reading=mentioned.append)
    if settings.release is None:
        return options
    from romproof.toolchains.rgbds.asm.dialect import DIALECTS

    return replace(options, dialect=DIALECTS[settings.release])


def _rules(target: str, source: str, mentioned: Iterable[str], phony: bool) -> str:
    lines = [f"{target}: {source}"]
    for path in mentioned:
        lines.append(f"{target}: {path}")
        if phony and Path(path).is_file():
            lines.append(f"{path}:")
    return "\n".join(lines) + "\n"


COMMAND = Tool("rgbasm", run, OPTIONS, "[OPTIONS] FILE")
