"""All that one run over one source fills: what statements are carried out with."""

from __future__ import annotations

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.expressions import Expressions
from romproof.toolchains.rgbds.asm.files import Files
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.model import Expression, PendingPatch
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.position import Position
from romproof.toolchains.rgbds.asm.report import Reporter, WarningSettings
from romproof.toolchains.rgbds.asm.sections import Sections
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.asm.symbols import Symbols
from romproof.toolchains.rgbds.obj.model import AssertionKind, PatchKind


class Assembly:
    """The tables of a source and what reads it, each made from those above it. Directives,
    functions and instructions are functions of an assembly."""

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


class Assertions:
    """The conditions that are left to the linker, as patches of no bytes, with their kinds and
    messages."""

    def __init__(self, contexts: Contexts, nodes: Nodes, position: Position) -> None:
        self.all: list[tuple[PendingPatch, AssertionKind, str]] = []
        self._contexts = contexts
        self._nodes = nodes
        self._position = position

    def add(self, kind: AssertionKind, condition: Expression, message: str) -> None:
        """Leave an assertion, made here, to the linker."""
        place, position = self._contexts.place(), self._position
        self._nodes.register(place.node)
        self._nodes.number_symbols(condition)
        pending = PendingPatch(
            place,
            position.output_offset,
            position.current,
            position.offset,
            PatchKind.BYTE,
            condition,
        )
        self.all.append((pending, kind, message))


class OptionStack:
    """PUSHO and POPO: the options that are in force, and those that were put aside."""

    def __init__(self, settings: Settings, report: Reporter, contexts: Contexts) -> None:
        self._settings = settings
        self._report = report
        self._contexts = contexts
        self._saved: list[tuple[Settings, WarningSettings]] = []

    def push(self) -> None:
        """PUSHO: remember the options."""
        self._saved.append((self._settings.copy(), self._report.warnings.copy()))

    def pop(self) -> None:
        """POPO: back to the options remembered last."""
        if not self._saved:
            self._report.error("No entries in the option stack")
            return
        settings, self._report.warnings = self._saved.pop()
        self._settings.take_over(settings)
        self._contexts.set_depth(settings.recursion_depth)

    def check_stack(self) -> None:
        """Warn of PUSHO without POPO."""
        if self._saved:
            self._report.warning("unmatched-directive", "`PUSHO` without corresponding `POPO`")
