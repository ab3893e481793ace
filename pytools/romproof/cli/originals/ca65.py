"""``romproof ca65``: the assembler under the original's command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import time

from romproof.cli.echo import echo
from romproof.cli.originals.arguments import FILE, BadCommandLine, Option
from romproof.cli.originals.cc65_arguments import (
    MAX_ERRORS,
    VERSION,
    definition,
    number,
    one_of,
    parse,
    write,
)
from romproof.cli.originals.cc65_paths import include_folders
from romproof.cli.originals.command import HelpWanted, Tool
from romproof.cli.output import assembling, show_diagnostics
from romproof.text.diagnostic import BuildFailed, Diagnostic, Diagnostics, Severity, Suspicion
from romproof.text.paths import with_ending
from romproof.toolchains.ca65.asm import Options, assemble
from romproof.toolchains.ca65.asm.dialect import DIALECTS, V2_19, Dialect, suggest_dialect
from romproof.toolchains.ca65.asm.targets import TARGETS
from romproof.toolchains.ca65.obj.cpus import CPUS
from romproof.toolchains.ca65.obj.encode import encode_object
from romproof.toolchains.ca65.obj.object import Object
from romproof.toolchains.ca65.obj.tables import OPTION_TIME
from romproof.toolchains.ca65.obj.tables import ModuleOption as Said

OPTIONS = (
    Option(
        "o",
        "",
        "NAME",
        "Write the object here; default: the name of the source with the ending .o.",
    ),
    Option("D", "", "NAME[=VALUE]", "Define a symbol."),
    Option(
        "I", "include-dir", "DIR", "A folder for .include, beside $CA65_INC, $CC65_HOME/asminc."
    ),
    Option("", "bin-include-dir", "DIR", "A folder for .incbin."),
    Option("t", "target", "SYSTEM", "Its symbols and character set; c64, nes, none ..."),
    Option("", "cpu", "CPU", "6502, 6502X (undocumented opcodes), 65SC02, 65C02, 65816, none."),
    Option("", "feature", "NAME", "Enable a .feature."),
    Option("", "dialect", "NAME", "2.19 (default), or 2.19-git, cc65 of today."),
    Option("U", "auto-import", "", "Import symbols that are not defined."),
    Option("i", "ignore-case", "", "Ignore the case of symbols."),
    Option("l", "listing", "NAME", "Write the source beside its bytes."),
    Option("", "list-bytes", "N", "Bytes of one source line in the listing; default: 12."),
    Option("", "pagelength", "N", "Lines of a page of the listing."),
    Option(
        "mm",
        "memory-model",
        "MODEL",
        "Memory model: near, or far, with far addresses in the segment CODE.",
    ),
    Option("", "create-dep", "NAME", "Write a rule for make."),
    Option("", "create-full-dep", "NAME", "The same."),
    Option(
        "s", "smart", "", "As '.smart +': track the sizes of the 65816's registers in rep and sep."
    ),
    Option("W", "", "N", "Level of warnings; 0: none."),
    Option("", "large-alignment", "", "No warnings about large alignments."),
    Option("g", "debug-info", "", "Add symbols, scopes and spans for debuggers to the object."),
    Option("", "relax-checks", "", "Leave it to the linker whether addresses fit."),
    Option("", "warnings-as-errors", "", "Write nothing where there is a warning."),
    Option("V", "version", "", "Show the version."),
    Option("h", "help", "", "Show this text."),
    Option("v", "verbose"),
    Option("d", "debug"),
)


@dataclass
class _Settings:
    """What the command line asks for."""

    source: str | None = None
    output: str | None = None
    defines: list[tuple[str, int]] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    binaries: list[str] = field(default_factory=list)
    target: str = "none"
    cpu: str = ""  # the target's
    features: list[str] = field(default_factory=list)
    auto_import: bool = False
    ignore_case: bool = False
    smart: bool = False
    listing: str | None = None
    list_bytes: int = 12
    dependencies: list[str] = field(default_factory=list)
    warnings: bool = True
    large_alignment: bool = False
    debug_info: bool = False
    relax_checks: bool = False
    page_length: int = 0
    far_code: bool = False
    dialect: Dialect = V2_19
    warnings_as_errors: bool = False

    def apply(self, key: str, argument: str) -> None:
        """Follow one option. Raises BadCommandLine."""
        match key:
            case "o":
                self.output = argument
            case "D":
                self.defines.append(definition(argument, value_needed=False))
            case "I":
                self.include.append(argument)
            case "bin-include-dir":
                self.binaries.append(argument)
            case "t":
                self.target = one_of("target", argument, TARGETS)
            case "cpu":
                self.cpu = one_of("CPU", argument, CPUS)
            case "feature":
                self.features.append(argument.lower())
            case "dialect":
                self.dialect = DIALECTS[one_of("dialect", argument, DIALECTS)]
            case "warnings-as-errors":
                self.warnings_as_errors = True
            case "U":
                self.auto_import = True
            case "i":
                self.ignore_case = True
            case "s":
                self.smart = True
            case "l":
                self.listing = argument
            case "list-bytes":
                self.list_bytes = number("--list-bytes", argument, 255)
            case "create-dep" | "create-full-dep":
                self.dependencies.append(argument)
            case "W":
                self.warnings = number("-W", argument) > 0
            case "large-alignment":
                self.large_alignment = True
            case "mm":
                model = one_of("memory model", argument, ("near", "far", "huge"))
                if model == "huge":
                    raise BadCommandLine("the memory model 'huge' is not supported, as in ca65")
                self.far_code = model == "far"
            case "pagelength":
                self.page_length = 0 if argument == "-1" else number("--pagelength", argument, 127)
                if self.page_length and self.page_length < 32:
                    raise BadCommandLine(f"a page has 32 to 127 lines, not {argument}")
            case "relax-checks":
                self.relax_checks = True
            case "g":
                self.debug_info = True
            case "h":
                raise HelpWanted
            case _ if key == FILE:
                if self.source is not None:
                    raise BadCommandLine(f"one source at a time; '{argument}' is a second one")
                self.source = argument

    def check_features(self) -> None:
        """Raises BadCommandLine for a feature that the dialect does not know."""
        for name in self.features:
            if name not in self.dialect.features and (help := suggest_dialect(name)) is not None:
                raise BadCommandLine(f"unknown feature '{name}'; {help}")
            one_of("feature", name, sorted(self.dialect.features))

    def wants(self, diagnostic: Diagnostic) -> bool:
        """Whether a finding is to be shown."""
        if diagnostic.severity is not Severity.WARNING:
            return True
        return self.warnings and not (
            self.large_alignment and diagnostic.kind is Suspicion.LARGE_ALIGNMENT
        )


def run(words: Sequence[str]) -> int:
    """Assemble FILE as ca65 2.19 does, for a makefile that is written for it.

    The object file is that of ca65: either linker links it. When anything is
    wrong the exit code is 1, and nothing is written.

    \b
    Examples:
      romproof ca65 -t c64 -D DEBUG=1 main.s -o main.o
      make CA65='romproof ca65' LD65='romproof ld65'
    """
    settings = _Settings()
    for key, argument in parse(words, OPTIONS):
        if key == "V":
            from romproof.support.version import read_version

            echo(f"ca65 V{VERSION} - romproof {read_version()}", err=True)
            return 0
        settings.apply(key, argument)
    settings.check_features()
    if settings.source is None:
        raise BadCommandLine("there is no source to assemble")
    output = settings.output or with_ending(settings.source, ".o")
    read: dict[str, None] = {}  # files, in order, each once
    listing: list[str] = []
    diagnostics = Diagnostics(limit=MAX_ERRORS)
    try:
        with assembling() as seen:
            options = Options(
                defines=tuple(settings.defines),
                include=(*settings.include, *include_folders()),
                cpu=settings.cpu,
                features=tuple(settings.features),
                out=echo,
                target=settings.target,
                progress=seen,
                auto_import=settings.auto_import,
                ignore_case=settings.ignore_case,
                smart=settings.smart,
                bin_include=tuple(settings.binaries),
                reading=read.setdefault,
                tables=True,
                debug_info=settings.debug_info,
                relax_checks=settings.relax_checks,
                listed=listing.append if settings.listing is not None else None,
                list_bytes=settings.list_bytes,
                page_length=settings.page_length,
                far_code=settings.far_code,
                only_file=True,
                dialect=settings.dialect,
            )
            made = assemble(settings.source, options, diagnostics)
    except BuildFailed as failure:
        raise BuildFailed(filter(settings.wants, failure.diagnostics)) from None
    _refuse_warnings(settings, diagnostics)
    results: list[tuple[str, bytes | str]] = [(output, _encode(made))]
    if settings.listing is not None:
        results.append((settings.listing, listing[0]))
    results += [(path, _rules(output, read)) for path in settings.dependencies]
    write(results, read)
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
