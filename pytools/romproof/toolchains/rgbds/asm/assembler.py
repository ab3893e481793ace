"""The assembler: one source, with what it includes, to one object."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from romproof.text.diagnostic import BuildFailed, Diagnostics
from romproof.text.span import Span
from romproof.toolchains.rgbds.asm.builtins import define_builtins
from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.contexts import Contexts, SourceText, read_file
from romproof.toolchains.rgbds.asm.expression import Expression, Expressions
from romproof.toolchains.rgbds.asm.files import Files, StopQuietly
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.lexer import Lexer
from romproof.toolchains.rgbds.asm.numbers import digits_fault
from romproof.toolchains.rgbds.asm.objects import Nodes, make_object, pending_assertion
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.parser import Parser
from romproof.toolchains.rgbds.asm.report import Fatal, Reporter, WarningSettings
from romproof.toolchains.rgbds.asm.section import PendingPatch
from romproof.toolchains.rgbds.asm.sections import Sections
from romproof.toolchains.rgbds.asm.symbols import Symbols
from romproof.toolchains.rgbds.obj.model import AssertionKind, Place, RgbdsObject

RECURSION_LIMIT = 20_000
"""Python frames; expressions and fragment literals inside each other need them."""


@dataclass(slots=True)
class Settings:
    """The options that a source may change."""

    binary_digits: str
    gfx_digits: str
    pad: int
    precision: int
    recursion_depth: int

    @classmethod
    def of(cls, options: RgbdsOptions) -> Self:
        """What the command line says."""
        return cls(
            options.binary_digits,
            options.gfx_digits,
            options.pad,
            options.precision,
            options.recursion_depth,
        )

    def copy(self) -> Settings:
        """The same settings, to be changed on their own."""
        return Settings(
            self.binary_digits, self.gfx_digits, self.pad, self.precision, self.recursion_depth
        )

    def set_digits(self, option: str, digits: str, report: Reporter) -> None:
        """Other digits for binary (``b``) or graphics (``g``) constants."""
        fault = digits_fault(digits, "binary" if option == "b" else "graphics")
        if fault is not None:
            report.error(fault)
        elif option == "b":
            self.binary_digits = digits
        else:
            self.gfx_digits = digits


class Assembler:
    """One run: the parts, and what they share."""

    def __init__(self, options: RgbdsOptions, diagnostics: Diagnostics) -> None:
        self.options = options
        self.settings = Settings.of(options)
        self.report = Reporter(diagnostics, options.max_errors)
        self.report.where = self._span
        self.growth = Growth(self.report)
        self.nodes = Nodes()
        self.symbols = Symbols(self)
        self.sections = Sections(self)
        self.charmaps = Charmaps(self.report)
        self.expressions = Expressions(self)
        self.contexts = Contexts(self)
        self.lexer = Lexer(self)
        self.files = Files(options, self.report)
        self.assertions: list[tuple[PendingPatch, AssertionKind, str]] = []
        self._saved_options: list[tuple[Settings, WarningSettings]] = []

    # -- where the assembler is -------------------------------------------------------------

    @property
    def line(self) -> int:
        """The line under way."""
        return self.lexer.context.line

    def place(self) -> Place:
        """Where the assembler is reading."""
        if not self.contexts.stack:
            raise AssertionError("there is no place before the first source")
        return Place(self.contexts.top.node, self.line, self.lexer.context.statement_span())

    def _span(self) -> Span | None:
        return self.lexer.context.span() if self.contexts.stack else None

    # -- options ----------------------------------------------------------------------------

    def push_options(self) -> None:
        """PUSHO."""
        self._saved_options.append((self.settings.copy(), self.report.warnings.copy()))

    def pop_options(self) -> None:
        """POPO."""
        if not self._saved_options:
            self.report.error("No entries in the option stack")
            return
        settings, self.report.warnings = self._saved_options.pop()
        depth = settings.recursion_depth
        self.settings = settings
        self.contexts.set_depth(depth)

    # -- running ----------------------------------------------------------------------------

    def assert_later(self, kind: AssertionKind, condition: Expression, message: str) -> None:
        """Leave an assertion to the linker."""
        self.assertions.append((pending_assertion(self, condition), kind, message))

    def run(self, source: SourceText) -> None:
        """Assemble a source. Raises Fatal after an error that ends everything."""
        self._prepare()
        self.contexts.enter_file(source)
        for name in reversed(self.options.preinclude):
            path = self.files.find(str(name))
            if path is None:
                self.files.missing(str(name), "pre-included", "No such file or directory")
            else:
                self.contexts.enter_file(read_file(path))
        Parser(self).source()
        if self.files.failed:
            return
        self.sections.check_end()
        self.charmaps.check_stack()
        if self._saved_options:
            self.report.warning("unmatched-directive", "`PUSHO` without corresponding `POPO`")
        self.sections.check_stack()

    def _prepare(self) -> None:
        self.report.warnings.enabled = not self.options.no_warnings
        for text in self.options.warnings:
            complaint = self.report.warnings.set(text)
            if complaint is not None:
                self.report.remark(complaint)
        define_builtins(self)
        for name, text in self.options.defines:
            self.symbols.define_from_outside(name, text)


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


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def assemble_source(
    source: SourceText, options: RgbdsOptions, diagnostics: Diagnostics
) -> Assembled:
    """The object of a source's text. Raises BuildFailed with everything found."""
    assembler = Assembler(options, diagnostics)
    try:
        with _deep_recursion():
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
