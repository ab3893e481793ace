"""``romproof ca65``: the assembler under the original's command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import time

from romproof.cli.echo import echo
from romproof.cli.originals.cc65_arguments import (
    MAX_ERRORS,
    VERSION,
    definition,
    dialect,
    number,
    one_of,
    parse,
    show_version,
    target_in,
    up_to,
    write,
)
from romproof.cli.originals.cc65_paths import include_folders
from romproof.cli.originals.command import Tool
from romproof.cli.originals.options import HELP, BadCommandLine, Option, ToolSettings, operand, read
from romproof.cli.originals.setters import append, put, switch
from romproof.cli.output import assembling, show_diagnostics
from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, Severity, Suspicion
from romproof.text.paths import Name, with_ending
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.asm.options import ExpandedLines
from romproof.toolchains.ca65.obj.dialect import suggest_dialect
from romproof.toolchains.ca65.obj.encode import encode_object
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.tables import OPTION_TIME
from romproof.toolchains.ca65.obj.tables import ModuleOption as Said


@dataclass(frozen=True)
class _Settings(ToolSettings, Options):
    """What the command line asks for: the assembler's options, and what to do with its results."""

    source: str | None = None
    output: str | None = None
    cpu: str = ""  # the target's
    bin_include: tuple[Name, ...] = ()
    tables: bool = True
    only_file: bool = True
    listing: str | None = None
    dependencies: tuple[str, ...] = ()
    warnings: bool = True
    warnings_as_errors: bool = False
    large_alignment: bool = False
    expansions: int = 0

    def in_dialect(self) -> _Settings:
        """The settings with names as the dialect has them. Raises BadCommandLine for a target, a
        CPU, a feature or an option that it does not know."""
        target = target_in(self.dialect, self.target)
        cpu = self.cpu
        if cpu:
            known = cpu.lower() in (each.lower() for each in self.dialect.cpus)
            if not known and (help := suggest_dialect(cpu)) is not None:
                raise BadCommandLine(f"no CPU '{cpu}'; {help}")
            cpu = one_of("CPU", cpu, self.dialect.cpus)
        for option, asked in (("-S", self.list_segments), ("-x", self.expansions)):
            if asked and not self.dialect.changes:
                raise BadCommandLine(f"{option} is of cc65 after 2.19: --dialect 2.19-git")
        for name in self.features:
            if name not in self.dialect.features and (help := suggest_dialect(name)) is not None:
                raise BadCommandLine(f"no feature '{name}'; {help}")
            one_of("feature", name, sorted(self.dialect.features))
        expanded = ExpandedLines(min(self.expansions, ExpandedLines.ALL.value))
        return replace(self, target=target, cpu=cpu, list_expansions=expanded)

    def wants(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        if diagnostic.severity is not Severity.WARNING:
            return True
        return self.warnings and not (
            self.large_alignment and diagnostic.kind is Suspicion.LARGE_ALIGNMENT
        )


def _source(settings: _Settings, _: str, name: str) -> _Settings:
    if settings.source is not None:
        raise BadCommandLine(f"one source at a time; '{name}' is a second one")
    return replace(settings, source=name)


def _lower(_: str, text: str) -> str:
    return text.lower()


def _is_far(_: str, text: str) -> bool:
    model = one_of("memory model", text, ("near", "far", "huge"))
    if model == "huge":
        raise BadCommandLine("the memory model 'huge' is not supported, as in ca65")
    return model == "far"


def _page_length(name: str, text: str) -> int:
    lines = 0 if text == "-1" else number(name, text, 127)
    if lines and lines < 32:
        raise BadCommandLine(f"a page has 32 to 127 lines, not {text}")
    return lines


def _expand(settings: _Settings, *_: str) -> _Settings:
    return replace(settings, expansions=settings.expansions + 1)


def _is_positive(name: str, text: str) -> bool:
    return number(name, text) > 0


OPTIONS = (
    operand(_source),
    Option("-o NAME", put("output"),
           "Write the object here; default: the name of the source with the ending .o."),
    Option("-D NAME[=VALUE]", append("defines", definition(value_needed=False)),
           "Define a symbol."),
    Option("-I --include-dir DIR", append("include"),
           "A folder for .include, beside $CA65_INC, $CC65_HOME/asminc."),
    Option("--bin-include-dir DIR", append("bin_include"), "A folder for .incbin."),
    Option("-t --target SYSTEM", put("target"),
           "Its symbols and character set; c64, nes, none ..."),
    Option("--cpu CPU", put("cpu"),
           "6502, 6502X (undocumented opcodes), 65SC02, 65C02, 65816, none ..."),
    Option("--feature NAME", append("features", _lower), "Enable a .feature."),
    Option("--dialect NAME", put("dialect", dialect),
           "2.19 (default), or 2.19-git, cc65 of today."),
    Option("-U --auto-import", switch("auto_import"), "Import symbols that are not defined."),
    Option("-i --ignore-case", switch("ignore_case"), "Ignore the case of symbols."),
    Option("-l --listing NAME", put("listing"), "Write the source beside its bytes."),
    Option("--list-bytes N", put("list_bytes", up_to(255)),
           "Bytes of one source line in the listing; default: 12."),
    Option("--pagelength N", put("page_length", _page_length), "Lines of a page of the listing."),
    Option("-mm --memory-model MODEL", put("far_code", _is_far),
           "Memory model: near, or far, with far addresses in the segment CODE."),
    Option("--create-dep NAME", append("dependencies"), "Write a rule for make."),
    Option("--create-full-dep NAME", append("dependencies"), "The same."),
    Option("-s --smart", switch("smart"),
           "As '.smart +': track the sizes of the 65816's registers in rep and sep."),
    Option("-W N", put("warnings", _is_positive), "Level of warnings; 0: none."),
    Option("--large-alignment", switch("large_alignment"), "No warnings about large alignments."),
    Option("-g --debug-info", switch("debug_info"),
           "Add symbols, scopes and spans for debuggers to the object."),
    Option("--relax-checks", switch("relax_checks"),
           "Leave it to the linker whether addresses fit."),
    Option("--warnings-as-errors", switch("warnings_as_errors"),
           "Write nothing where there is a warning."),
    Option("-x --expand-macros", _expand,
           "Lines of macros in the listing; twice: also without bytes."),
    Option("-S --segment-list", switch("list_segments"),
           "The segments in the listing (of cc65 after 2.19)."),
    Option("--warn-align-waste", switch("warn_align_waste"),
           "Warn about bytes that are skipped to align the next."),
    VERSION,
    HELP,
    Option("--color WHEN"),
    Option("--no-utf8"),
    Option("-v --verbose"),
    Option("-d --debug"),
)  # fmt: skip


def run(words: Sequence[str]) -> int:
    """Assemble FILE as ca65 2.19 does, for a makefile that is written for it.

    The object file is that of ca65: either linker links it. When anything is
    wrong the exit code is 1, and nothing is written.

    \b
    Examples:
      romproof ca65 -t c64 -D DEBUG=1 main.s -o main.o
      make CA65='romproof ca65' LD65='romproof ld65'
    """
    settings = read(words, OPTIONS, _Settings(), parse)
    if settings.version:
        return show_version("ca65")
    settings = settings.in_dialect()
    if settings.source is None:
        raise BadCommandLine("there is no source to assemble")
    output = settings.output or with_ending(settings.source, ".o")
    opened: dict[str, None] = {}  # files, in order, each once
    listing: list[str] = []
    diagnostics = Diagnostics(limit=MAX_ERRORS)
    try:
        with assembling() as seen:
            options = replace(
                settings,
                include=(*settings.include, *include_folders()),
                out=echo,
                progress=seen,
                reading=opened.setdefault,
                listed=listing.append if settings.listing is not None else None,
            )
            made = assemble(settings.source, options, diagnostics)
    except BuildFailed as failure:
        raise BuildFailed(filter(settings.wants, failure.diagnostics)) from None
    _refuse_warnings(settings, diagnostics)
    results: list[tuple[str, bytes | str]] = [(output, _encode(made))]
    if settings.listing is not None:
        results.append((settings.listing, listing[0]))
    results += [(path, _rules(output, opened)) for path in settings.dependencies]
    write(results, opened)
    show_diagnostics(filter(settings.wants, diagnostics.items))
    return 0


def _refuse_warnings(settings: _Settings, diagnostics: Diagnostics) -> None:
    """Raises BuildFailed where warnings are errors and one is to be shown."""
    shown = [each for each in diagnostics.items if settings.wants(each)]
    if settings.warnings_as_errors and shown:
        raise BuildFailed(shown)


def _encode(made: Object) -> bytes:
    assert made.tables is not None, "they were asked for"
    now = Said(OPTION_TIME, int(time()) & 0xFFFFFFFF)
    options = tuple(now if o.type == OPTION_TIME else o for o in made.tables.options)
    return encode_object(replace(made.tables, options=options), made.packed)


def _rules(output: str, read: Iterable[str]) -> str:
    """For make: the object depends on all that was read; that nobody makes (as ca65 writes it)."""
    files = " ".join(path.replace(" ", "\\ ") for path in read)
    name = output.replace(" ", "\\ ")
    return f"{name}:\t{files}\n\n{files}:\n\n"


COMMAND = Tool("ca65", run, OPTIONS, "[OPTIONS] FILE")
