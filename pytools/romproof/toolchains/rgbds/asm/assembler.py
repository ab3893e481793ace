"""The assembler: one source, with what it includes, to one object."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from romproof.support.recursion import deep_recursion
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.asm.assembly import Assembly
from romproof.toolchains.rgbds.asm.builtins import define_builtins
from romproof.toolchains.rgbds.asm.characters import as_source
from romproof.toolchains.rgbds.asm.contexts import SourceText, read_file
from romproof.toolchains.rgbds.asm.files import StopQuietly
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.objects import make_object
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.parser import Parser
from romproof.toolchains.rgbds.asm.report import Fatal
from romproof.toolchains.rgbds.obj.model import RgbdsObject

RECURSION_LIMIT = 20_000
"""Python frames; expressions and fragment literals inside each other need them."""


@dataclass(frozen=True)
class Assembled:
    """A run that went well.

    ``object`` is None when a missing file was passed over (-MG, -MC). ``assembly`` still knows
    everything, for state files and dependencies.
    """

    object: RgbdsObject | None
    assembly: Assembly


def assemble(
    source: Path, options: RgbdsOptions | None = None, diagnostics: Diagnostics | None = None
) -> RgbdsObject:
    """The object of the source file ``source``. Raises BuildFailed with everything found."""
    options = options or RgbdsOptions()
    diagnostics = diagnostics if diagnostics is not None else Diagnostics()
    try:
        text = read_file(source)
    except OSError as fault:
        diagnostics.error(f"Cannot open '{source}': {fault.strerror}")
        raise BuildFailed(diagnostics.items) from None
    made = assemble_source(text, options, diagnostics).object
    if made is None:
        diagnostics.error(f"{source}: a file that it includes is missing")
        raise BuildFailed(diagnostics.items)
    return made


def assemble_source(
    source: SourceText, options: RgbdsOptions, diagnostics: Diagnostics
) -> Assembled:
    """The object of a source's text. Raises BuildFailed with everything found."""
    asm = Assembly(options, diagnostics)
    made: RgbdsObject | None = None
    try:
        with deep_recursion(RECURSION_LIMIT):
            made = _assemble(asm, source)
    except Fatal:
        pass
    except RecursionError:
        with suppress(Fatal):
            asm.report.error("This is nested too deeply", help="split it up")
    except StopQuietly:
        if not asm.report.errors:
            return Assembled(None, asm)
    if asm.report.errors:
        raise BuildFailed(diagnostics.items)
    return Assembled(made, asm)


def _assemble(asm: Assembly, source: SourceText) -> RgbdsObject | None:
    """The stages; None after an error, or where a missing file is to be passed over. What is read
    is expanded and carried out statement by statement. Raises Fatal after an error that ends
    everything."""
    choose_warnings(asm)
    define_symbols(asm)
    enter_sources(asm, source)
    read_statements(asm)
    if not asm.files.failed:
        check_what_is_open(asm)
    if asm.report.errors or asm.files.failed:
        return None
    return make_object(asm, source.name)


def choose_warnings(asm: Assembly) -> None:
    """Those that the command line asks for."""
    warnings, options = asm.report.warnings, asm.options
    warnings.enabled = not options.no_warnings
    # what a dialect is asked for is not complained of
    old = () if options.dialect is None else ("no-obsolete",)
    for text in (*old, *options.warnings):
        complaint = warnings.set(text)
        if complaint is not None:
            asm.report.remark(complaint)


def define_symbols(asm: Assembly) -> None:
    """Those that are built in, and those of the command line."""
    define_builtins(asm)
    for name, text in asm.options.defines:
        asm.symbols.define_from_outside(name, as_source(text))


def enter_sources(asm: Assembly, source: SourceText) -> None:
    """Read the pre-included files next, and then the source."""
    asm.contexts.enter_file(source)
    for name in reversed(asm.options.preinclude):
        path = asm.files.find(as_source(str(name)))
        if path is None:
            asm.files.missing(str(name), "pre-included", "No such file or directory")
        else:
            asm.contexts.enter_file(read_file(path))


def read_statements(asm: Assembly) -> None:
    """Carry out all statements of the sources, and of what they include."""
    lexer = Lexer(asm.report, asm.settings, asm.growth, asm.contexts, asm.symbols)
    Parser(lexer, asm).source()


def check_what_is_open(asm: Assembly) -> None:
    """Report what should have been closed before the end."""
    asm.sections.check_end()
    asm.charmaps.check_stack()
    asm.option_stack.check_stack()
    asm.sections.check_stack()
