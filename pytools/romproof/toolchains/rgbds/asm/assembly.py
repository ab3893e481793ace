"""All that one run over one source fills: what statements are carried out with."""

from __future__ import annotations

from romproof.text.diagnostic import Diagnostics
from romproof.toolchains.rgbds.asm.assertions import Assertions
from romproof.toolchains.rgbds.asm.charmaps import Charmaps
from romproof.toolchains.rgbds.asm.contexts import Contexts
from romproof.toolchains.rgbds.asm.expressions import Expressions
from romproof.toolchains.rgbds.asm.files import Files
from romproof.toolchains.rgbds.asm.growth import Growth
from romproof.toolchains.rgbds.asm.nodes import Nodes
from romproof.toolchains.rgbds.asm.option_stack import OptionStack
from romproof.toolchains.rgbds.asm.options import RgbdsOptions
from romproof.toolchains.rgbds.asm.report import Reporter
from romproof.toolchains.rgbds.asm.sections import Sections
from romproof.toolchains.rgbds.asm.settings import Settings
from romproof.toolchains.rgbds.asm.symbols import Symbols


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
