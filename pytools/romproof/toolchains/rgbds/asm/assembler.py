"""The assembler: one source, with what it includes, to one object."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from romproof.support.recursion import deep_recursion
from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.toolchains.rgbds.asm.assertions import Assertions
from romproof.toolchains.rgbds.asm.builtins import define_builtins
from romproof.toolchains.rgbds.asm.characters import as_source
from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.contexts import Contexts, SourceText, read_file
from romproof.toolchains.rgbds.asm.expressions import Expressions
from romproof.toolchains.rgbds.asm.files import Files, StopQuietly
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.objects import make_object
from romproof.toolchains.rgbds.asm.option_stack import OptionStack
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.parser import Parser
from romproof.toolchains.rgbds.asm.quick.lines import Lines
from romproof.toolchains.rgbds.asm.report import Fatal, Reporter
from romproof.toolchains.rgbds.asm.sections import Sections
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.asm.symbols import Symbols
from romproof.toolchains.rgbds.obj.model import RgbdsObject

RECURSION_LIMIT = 20_000
"""Python frames; expressions and fragment literals inside each other need them."""


class Assembler:
    """One run: the parts, and what they share."""

    def __init__(self, options: RgbdsOptions, diagnostics: Diagnostics) -> None:
        self.options = options
        self.settings = Settings.of(options)
        self.report = Reporter(diagnostics, options.max_errors)
        self.growth = Growth(self.report)
        self.contexts = Contexts(options, self.settings, self.report, self.growth)
        self.report.where = self.contexts.span
        self.nodes = Nodes()
        self.sections = Sections(self.report, self.settings, self.contexts, self.nodes)
        self.symbols = Symbols(
            self.report, self.contexts, self.nodes, self.sections, options.export_all
        )
        self.expressions = Expressions(self.report, self.symbols, self.sections)
        self.expressions.short_high = options.dialect is not None
        self.charmaps = Charmaps(self.report)
        self.files = Files(options, self.report)
        self.assertions = Assertions(self.contexts, self.nodes, self.sections)
        self.option_stack = OptionStack(self.settings, self.report, self.contexts)

    def run(self, source: SourceText) -> None:
        """Assemble a source. Raises Fatal after an error that ends everything."""
        self._prepare()
        self.contexts.enter_file(source)
        for name in reversed(self.options.preinclude):
            path = self.files.find(as_source(str(name)))
            if path is None:
                self.files.missing(str(name), "pre-included", "No such file or directory")
            else:
                self.contexts.enter_file(read_file(path))
        lexer = Lexer(self.report, self.settings, self.growth, self.contexts, self.symbols)
        parser = Parser(lexer, self)
        if self.options.by_lines and self.options.dialect is None:
            Lines(lexer, parser, self).source()
        else:
            parser.source()
        if self.files.failed:
            return
        self.sections.check_end()
        self.charmaps.check_stack()
        self.option_stack.check_stack()
        self.sections.check_stack()

    def _prepare(self) -> None:
        self.report.warnings.enabled = not self.options.no_warnings
        # what a dialect is asked for is not complained of
        old = () if self.options.dialect is None else ("no-obsolete",)
        for text in (*old, *self.options.warnings):
            complaint = self.report.warnings.set(text)
            if complaint is not None:
                self.report.remark(complaint)
        define_builtins(self)
        for name, text in self.options.defines:
            self.symbols.define_from_outside(name, as_source(text))


@dataclass(frozen=True)
class Assembled:
    """A run that went well.

    ``object`` is None when a missing file was passed over (-MG, -MC). ``assembler`` still knows
    everything, for state files and dependencies.
    """

    object: RgbdsObject | None
    assembler: Assembler


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
    assembler = Assembler(options, diagnostics)
    try:
        with deep_recursion(RECURSION_LIMIT):
            assembler.run(source)
    except Fatal:
        pass
    except RecursionError:
        with suppress(Fatal):
            assembler.report.error("This is nested too deeply", help="split it up")
    except StopQuietly:
        if not assembler.report.errors:
            return Assembled(None, assembler)
    if assembler.report.errors:
        raise BuildFailed(diagnostics.items)
    if assembler.files.failed:
        return Assembled(None, assembler)
    return Assembled(make_object(assembler, source.name), assembler)
